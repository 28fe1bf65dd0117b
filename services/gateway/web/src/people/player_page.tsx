// A player: record, ratings with their history, what was beaten, and the games.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { variantOf } from '../chess/variants.ts';
import { account } from '../net/account.ts';
import { PlainPage } from '../ui/plain_page.tsx';
import { problemText } from '../words/problem.ts';
import { VARIANT_WORDS } from '../words/rule_words.ts';
import { LEVELS, signed } from '../words/wording.ts';
import { PlayerGames } from './player_games.tsx';
import { player, progress, ratingHistory, type PlayerPage as PlayerData, type Progress, type RatingPoint } from './rest_player.ts';
import { sparkline } from './sparkline.ts';
import { Vacation } from './vacation.tsx';

const day = (ms: number): string => new Date(ms).toLocaleDateString('en', { dateStyle: 'medium' });

export function PlayerPage({ id }: { id: string }): VNode {
  const [who, setWho] = useState<PlayerData | null | undefined>(undefined);
  const [history, setHistory] = useState<RatingPoint[]>([]);
  const [done, setDone] = useState<Progress | null>(null);
  const [own, setOwn] = useState(false);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        const found = await player(id);
        setWho(found);
        if (!found) return;
        const [points, beaten] = await Promise.all([found.guest ? [] : ratingHistory(found.id), progress(found.id)]);
        setOwn((await account())?.id === found.id && !found.guest);
        setHistory(points);
        setDone(beaten);
      } catch (error) {
        setProblem(problemText(error));
      }
    };
    void load();
  }, [id]);

  return (
    <PlainPage title={who?.name ?? 'Player'}>
      <main class="narrow player-page">
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {who === null && (
          <section class="card" data-testid="nothing">
            <h1>There is no such player</h1>
            <p>The name may be mistyped.</p>
          </section>
        )}
        {who && (
          <>
            <section class="card" data-testid="profile">
              <h1>
                {who.title && <abbr class="title">{who.title}</abbr>} {who.name}
              </h1>
              <p class="hint">
                {who.guest ? 'Guest' : 'Account'} since {day(who.createdAt)} ·{' '}
                {who.online ? 'here now' : `last here ${day(who.seenAt)}`}
              </p>
              <p>
                {who.record.games} {who.record.games === 1 ? 'game' : 'games'}: {who.record.won} won, {who.record.drawn} drawn, {who.record.lost} lost
                {who.record.playing > 0 && ` · ${who.record.playing} going on`}
              </p>
            </section>
            <Ratings who={who} history={history} />
            {done && <Done done={done} />}
            <PlayerGames id={who.id} />
            {own && <Vacation until={who.vacationUntil ?? null} />}
          </>
        )}
      </main>
    </PlainPage>
  );
}

function Ratings({ who, history }: { who: PlayerData; history: readonly RatingPoint[] }): VNode | null {
  if (who.ratings.length === 0) return null;
  return (
    <section class="card" aria-labelledby="ratings-title">
      <h2 id="ratings-title">Ratings</h2>
      <div class="wide-table">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Game</th>
              <th scope="col">Rating</th>
              <th scope="col">Games</th>
              <th scope="col">History</th>
            </tr>
          </thead>
          <tbody>
            {who.ratings.map(({ variant, speed, rating, deviation, games, provisional, progress: trend }) => (
              <tr key={`${variant} ${speed}`}>
                <th scope="row">
                  {VARIANT_WORDS[variantOf(variant)].name}, {speed}
                </th>
                <td title={`Deviation ${deviation}`}>
                  {rating}
                  {provisional && '?'} {trend !== 0 && <small>{signed(trend)}</small>}
                </td>
                <td>{games}</td>
                <td>
                  <HistoryLine
                    values={history
                      .filter((point) => point.variant === variant && point.speed === speed)
                      .map((point) => point.rating)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">A question mark: few games so far.</p>
    </section>
  );
}

const WIDTH = 120;
const HEIGHT = 28;

function HistoryLine({ values }: { values: readonly number[] }): VNode | null {
  if (values.length < 2) return null;
  const [first, last] = [Math.round(values[0]!), Math.round(values[values.length - 1]!)];
  return (
    <svg class="history" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`From ${first} to ${last} in ${values.length} games`}>
      <polyline points={sparkline(values, WIDTH, HEIGHT)} />
    </svg>
  );
}

function Done({ done }: { done: Progress }): VNode | null {
  const earned = done.badges.filter((badge) => badge.earned !== null);
  const open = done.badges.filter((badge) => badge.earned === null);
  return (
    <section class="card" aria-labelledby="progress-title" data-testid="progress">
      <h2 id="progress-title">Against the computer</h2>
      {done.beaten.length === 0 && <p class="hint">No level beaten yet.</p>}
      {done.beaten.length > 0 && (
        <ul class="beaten">
          {done.beaten.map(({ variant, level, wins, winsWithoutHelp }) => (
            <li key={`${variant} ${level}`}>
              <strong>
                {level} · {LEVELS[level - 1]}
              </strong>{' '}
              in {VARIANT_WORDS[variantOf(variant)].name}: beaten {wins === 1 ? 'once' : `${wins} times`},{' '}
              {winsWithoutHelp ? `${winsWithoutHelp} without help` : 'with help'}
            </li>
          ))}
        </ul>
      )}
      {earned.length > 0 && (
        <ul class="badges" aria-label="Badges">
          {earned.map((badge) => (
            <li key={badge.key} class="badge earned">
              <strong>{badge.name}</strong> <span>{badge.description}</span> <small>{day(badge.earned!)}</small>
            </li>
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <details>
          <summary>Badges to earn: {open.length}</summary>
          <ul class="badges">
            {open.map((badge) => (
              <li key={badge.key} class="badge">
                <strong>{badge.name}</strong> <span>{badge.description}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
