// In correspondence, while the opponent is to move: answers that are played by themselves.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConditionalMoves as Kept } from '../net/rest.gen.ts';
import { call } from '../net/rest.ts';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { levelOf, type Game } from './game.ts';

const lines = (answer: Kept): string[] => answer.lines.map((line) => line.join(' '));

/** The own conditional moves, a line each, in UCI. */
const conditionalMoves = async (gameId: string): Promise<string[]> =>
  lines(await call('GET /api/flagfall/games/{game_id}/conditional-moves', { of: { game_id: gameId } }));

/** Set them: lines of UCI or SAN with commas between; an empty text forgets all. */
const setConditionalMoves = async (gameId: string, text: string): Promise<string[]> =>
  lines(await call('POST /api/flagfall/games/{game_id}/conditional-moves', { of: { game_id: gameId }, body: { lines: text } }));

const SAMPLE = 'e7e5 Nf3 Nc6 Bb5, c7c5 Nf3';

export function ConditionalMoves({ game }: { game: Game }): VNode | null {
  const { state, you, info } = game;
  const shown =
    you !== null &&
    info.timeControl.type === 'correspondence' &&
    levelOf(game) === 0 &&
    state.status === 'started' &&
    state.turn !== you;
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');

  useEffect(() => {
    setSaid('');
    setProblem('');
    if (!shown) return;
    void conditionalMoves(game.id).then(
      (lines) => setText(lines.join(', ')),
      (error: unknown) => setProblem(problemText(error)),
    );
  }, [game.id, state.ply, shown]);

  if (!shown) return null;
  const save = async (): Promise<void> => {
    setProblem('');
    setSaid('');
    try {
      const lines = await setConditionalMoves(game.id, text);
      setText(lines.join(', '));
      setSaid(say(lines.length ? 'play.conditionalSaved' : 'play.conditionalNone'));
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  return (
    <details class="card conditional">
      <summary>{say('play.conditionalMoves')}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="field">
          <span>{say('play.conditionalHint', { sample: SAMPLE })}</span>
          <textarea rows={2} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <p class="problem" role="alert">
          {problem}
        </p>
        <p class="note" role="status">
          {said}
        </p>
        <button type="submit">{say('play.conditionalSave')}</button>
      </form>
    </details>
  );
}
