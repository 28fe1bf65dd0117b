// A player: record, ratings with their history, what was beaten, and the games.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { variantOf } from '../chess/variants.ts';
import { account } from '../net/account.ts';
import { PlainPage } from '../ui/plain_page.tsx';
import { dayText } from '../words/language.ts';
import { problemText } from '../words/problem.ts';
import { variantName } from '../words/rule_words.ts';
import { say, sayRich } from '../words/say.ts';
import { levelText, signed, speedName } from '../words/wording.ts';
import { PlayerGames } from './player_games.tsx';
import { player, progress, ratingHistory, type PlayerPage as PlayerData, type Progress, type RatingPoint } from './rest_player.ts';
import { sparkline } from './sparkline.ts';
import { Vacation } from './vacation.tsx';

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
    <PlainPage title={who?.name ?? say('people.player')}>
      <main class="narrow player-page">
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {who === null && (
          <section class="card" data-testid="nothing">
            <h1>{say('people.nothing')}</h1>
            <p>{say('people.mistyped')}</p>
          </section>
        )}
        {who && (
          <>
            <section class="card" data-testid="profile">
              <h1>
                {who.title && <abbr class="title">{who.title}</abbr>} {who.name}
              </h1>
              <p class="hint">
                {say(who.guest ? 'people.guestSince' : 'people.accountSince', { day: dayText(who.createdAt) })} ·{' '}
                {who.online ? say('people.hereNow') : say('people.lastHere', { day: dayText(who.seenAt) })}
              </p>
              <p>
                {say('people.record', who.record)}
                {who.record.playing > 0 && ` · ${say('people.goingOn', { games: who.record.playing })}`}
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
      <h2 id="ratings-title">{say('people.ratings')}</h2>
      <div class="wide-table">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{say('people.game')}</th>
              <th scope="col">{say('people.rating')}</th>
              <th scope="col">{say('people.games')}</th>
              <th scope="col">{say('people.history')}</th>
            </tr>
          </thead>
          <tbody>
            {who.ratings.map(({ variant, speed, rating, deviation, games, provisional, progress: trend }) => (
              <tr key={`${variant} ${speed}`}>
                <th scope="row">
                  {say('people.ratingOf', { variant: variantName(variantOf(variant)), speed: speedName(speed) })}
                </th>
                <td title={say('people.deviation', { deviation })}>
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
      <p class="hint">{say('people.provisional')}</p>
    </section>
  );
}

const WIDTH = 120;
const HEIGHT = 28;

function HistoryLine({ values }: { values: readonly number[] }): VNode | null {
  if (values.length < 2) return null;
  const [first, last] = [Math.round(values[0]!), Math.round(values[values.length - 1]!)];
  return (
    <svg
      class="history"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={say('people.historyLine', { first, last, games: values.length })}
    >
      <polyline points={sparkline(values, WIDTH, HEIGHT)} />
    </svg>
  );
}

function Done({ done }: { done: Progress }): VNode | null {
  const earned = done.badges.filter((badge) => badge.earned !== null);
  const open = done.badges.filter((badge) => badge.earned === null);
  return (
    <section class="card" aria-labelledby="progress-title" data-testid="progress">
      <h2 id="progress-title">{say('people.progress')}</h2>
      {done.beaten.length === 0 && <p class="hint">{say('people.noLevel')}</p>}
      {done.beaten.length > 0 && (
        <ul class="beaten">
          {done.beaten.map(({ variant, level, wins, winsWithoutHelp }) => (
            <li key={`${variant} ${level}`}>
              {sayRich('people.beaten', {
                level: levelText(level),
                variant: variantName(variantOf(variant)),
                wins,
                withoutHelp: winsWithoutHelp,
                strong: (parts) => <strong>{parts}</strong>,
              })}
            </li>
          ))}
        </ul>
      )}
      {earned.length > 0 && (
        <ul class="badges" aria-label={say('people.badges')}>
          {earned.map((badge) => (
            <li key={badge.key} class="badge earned">
              <strong>{badge.name}</strong> <span>{badge.description}</span> <small>{dayText(badge.earned!)}</small>
            </li>
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <details>
          <summary>{say('people.openBadges', { count: open.length })}</summary>
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
