// A player's games, by variant and result, and all of them as a file.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { variantOf, VARIANTS } from '../chess/variants.ts';
import { problemText } from '../words/problem.ts';
import { VARIANT_WORDS } from '../words/rule_words.ts';
import { ending, personName, timeControlText } from '../words/wording.ts';
import { allGamesHref, gamesOf, type GamesWanted, type GameSummary } from './rest_player.ts';

const RESULTS = [
  ['', 'Any result'],
  ['won', 'Won'],
  ['lost', 'Lost'],
  ['drawn', 'Drawn'],
] as const;

export function PlayerGames({ id }: { id: string }): VNode {
  const [variant, setVariant] = useState('');
  const [result, setResult] = useState('');
  const [games, setGames] = useState<readonly GameSummary[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState('');

  const load = async (after: string | null, isCurrent: () => boolean): Promise<void> => {
    setProblem('');
    try {
      const found = await gamesOf({ player: id, variant, result } as GamesWanted, after);
      if (!isCurrent()) return;
      setGames((known) => (after ? [...(known ?? []), ...found.games] : found.games));
      setNext(found.next);
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  useEffect(() => {
    let current = true;
    void load(null, () => current);
    return () => {
      current = false;
    };
  }, [id, variant, result]);

  return (
    <section class="card" aria-labelledby="games-title" data-testid="games">
      <h2 id="games-title">Games</h2>
      <div class="row pair whole">
        <label class="field">
          <span>Variant</span>
          <select value={variant} onChange={(event) => setVariant(event.currentTarget.value)}>
            <option value="">Any variant</option>
            {VARIANTS.map((key) => (
              <option key={key} value={key}>
                {VARIANT_WORDS[key].name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Result</span>
          <select value={result} onChange={(event) => setResult(event.currentTarget.value)}>
            {RESULTS.map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {games?.length === 0 && <p class="hint">No such games.</p>}
      <ul class="entries games">
        {games?.map(({ id: gameId, info, state }) => (
          <li key={gameId}>
            <a href={`/${gameId}`} data-testid="found-game">
              <strong>
                {personName(info.white)} – {personName(info.black)}
              </strong>
              <span>
                {ending(state)?.score || ending(state)?.headline || 'goes on'} ·{' '}
                {VARIANT_WORDS[variantOf(info.variant)].name} · {timeControlText(info.timeControl)} ·{' '}
                {info.rated && !state.unrated ? 'rated' : 'unrated'} ·{' '}
                {new Date(info.createdAt).toLocaleDateString('en', { dateStyle: 'medium' })}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <div class="row">
        {next && (
          <button type="button" onClick={() => void load(next, () => true)}>
            More games
          </button>
        )}
        <a class="button" href={allGamesHref(id)} download={`${id}.pgn`}>
          All games as PGN
        </a>
      </div>
    </section>
  );
}
