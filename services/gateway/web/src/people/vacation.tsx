// The own vacation: turns of correspondence stand still.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../net/rest.ts';
import { momentText } from '../words/language.ts';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';

/** Days from now on; 0 ends it. The answer is until when, in ms. */
const setVacation = async (days: number): Promise<number | null> =>
  (await call('POST /api/flagfall/vacation', { body: { vacationDays: days } })).until;

export function Vacation({ until: first }: { until: number | null }): VNode {
  const [until, setUntil] = useState(first);
  const [days, setDays] = useState(7);
  const [problem, setProblem] = useState('');
  const set = async (wanted: number): Promise<void> => {
    setProblem('');
    try {
      setUntil(await setVacation(wanted));
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  return (
    <section class="card" aria-labelledby="vacation-title">
      <h2 id="vacation-title">{say('people.vacation')}</h2>
      {until !== null && until > Date.now() ? (
        <div class="row">
          <p>{say('people.standStillUntil', { moment: momentText(until) })}</p>
          <button type="button" onClick={() => void set(0)}>
            {say('people.endVacation')}
          </button>
        </div>
      ) : (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void set(days);
          }}
        >
          <label class="field">
            <span>{say('people.vacationDays')}</span>
            <input
              type="number"
              min="1"
              max="365"
              step="1"
              required
              value={days}
              onInput={(event) => setDays(Number(event.currentTarget.value))}
            />
          </label>
          <button type="submit">{say('people.beginVacation')}</button>
        </form>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
