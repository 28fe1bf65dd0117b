// How much time: presets, an own clock, days for each move, or none.
import type { VNode } from 'preact';
import { Choice } from '../ui/choice.tsx';
import { say } from '../words/say.ts';
import { daysText, initialText } from '../words/wording.ts';
import { DAYS, INCREMENT_SECONDS_MAX, INITIAL_SECONDS, PRESETS, TURN_SECONDS, type TimeChoice } from './terms.ts';

const options = (): { value: string; text: string }[] => [
  ...PRESETS.map(([minutes, increment]) => ({
    value: `${minutes}+${increment}`,
    text: `${minutes} + ${increment}`,
  })),
  { value: 'custom', text: say('invite.otherTime') },
  { value: 'perMove', text: say('invite.perMove') },
  { value: 'days', text: say('invite.days') },
  { value: 'untimed', text: say('time.untimed') },
];

export function TimeFields({ value, onChange }: { value: TimeChoice; onChange(value: TimeChoice): void }): VNode {
  return (
    <>
      <Choice
        legend={say('invite.time')}
        name="time"
        grid
        value={value.kind}
        options={options()}
        onPick={(kind) => onChange({ ...value, kind })}
      />
      {value.kind === 'custom' && (
        <div class="row pair">
          <label class="field">
            <span>{say('invite.forEachSide')}</span>
            <select
              name="limit"
              value={value.seconds}
              onChange={(event) => onChange({ ...value, seconds: Number(event.currentTarget.value) })}
            >
              {INITIAL_SECONDS.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {initialText(seconds)}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{say('invite.secondsPerMove')}</span>
            <input
              type="number"
              name="increment"
              min="0"
              max={INCREMENT_SECONDS_MAX}
              step="1"
              required
              value={value.increment}
              onInput={(event) => onChange({ ...value, increment: Number(event.currentTarget.value) })}
            />
          </label>
        </div>
      )}
      {value.kind === 'perMove' && (
        <label class="field">
          <span>{say('invite.forEachTurn')}</span>
          <select
            name="perMove"
            value={value.turn}
            onChange={(event) => onChange({ ...value, turn: Number(event.currentTarget.value) })}
          >
            {TURN_SECONDS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {say('time.seconds', { seconds })}
              </option>
            ))}
          </select>
        </label>
      )}
      {value.kind === 'days' && (
        <label class="field">
          <span>{say('invite.forEachMoveDays')}</span>
          <select
            name="days"
            value={value.days}
            onChange={(event) => onChange({ ...value, days: Number(event.currentTarget.value) })}
          >
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {daysText(days)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
