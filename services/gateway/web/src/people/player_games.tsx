// A player's games, by variant and result, and all of them as a file.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { variantOf, VARIANTS } from '../chess/variants.ts';
import { dayText } from '../words/language.ts';
import { problemText } from '../words/problem.ts';
import { variantName } from '../words/rule_words.ts';
import { say } from '../words/say.ts';
import { ending, playersText, ratedText, timeControlText } from '../words/wording.ts';
import { allGamesHref, gamesOf, type GamesWanted, type GameSummary } from './rest_player.ts';

const RESULTS = ['any', 'won', 'lost', 'drawn'] as const;

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
      <h2 id="games-title">{say('people.games')}</h2>
      <div class="row pair whole">
        <label class="field">
          <span>{say('people.variant')}</span>
          <select value={variant} onChange={(event) => setVariant(event.currentTarget.value)}>
            <option value="">{say('people.anyVariant')}</option>
            {VARIANTS.map((key) => (
              <option key={key} value={key}>
                {variantName(key)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{say('people.result')}</span>
          <select value={result} onChange={(event) => setResult(event.currentTarget.value)}>
            {RESULTS.map((key) => (
              <option key={key} value={key === 'any' ? '' : key}>
                {say(`people.${key}`)}
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
      {games?.length === 0 && <p class="hint">{say('people.noGames')}</p>}
      <ul class="entries games">
        {games?.map(({ id: gameId, info, state }) => (
          <li key={gameId}>
            <a href={`/${gameId}`} data-testid="found-game">
              <strong>{playersText(info)}</strong>
              <span>
                {ending(state)?.score || ending(state)?.headline || say('people.goesOn')} ·{' '}
                {variantName(variantOf(info.variant))} · {timeControlText(info.timeControl)} ·{' '}
                {ratedText(info.rated && !state.unrated)} · {dayText(info.createdAt)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <div class="row">
        {next && (
          <button type="button" onClick={() => void load(next, () => true)}>
            {say('people.moreGames')}
          </button>
        )}
        <a class="button" href={allGamesHref(id)} download={`${id}.pgn`}>
          {say('people.allGames')}
        </a>
      </div>
    </section>
  );
}
