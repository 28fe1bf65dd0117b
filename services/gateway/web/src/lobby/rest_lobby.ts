// The REST calls of the lobby.
import type { Color } from '../chess/color.ts';
import type { ShownRules } from '../chess/rule_sets.ts';
import type { Invited, Terms } from '../invite/challenges.ts';
import { call, RestError } from '../net/rest.ts';

/** Somebody who looks for an opponent. */
export interface Seek {
  id: string;
  player: Invited & { guest?: boolean };
  variant: { key: string; name: string };
  rated: boolean;
  timeControl: { type: string; limit?: number; increment?: number; daysPerTurn?: number; secondsPerTurn?: number };
  color: Color | 'random';
  ratingRange: string | null;
  ruleSet: string;
  ruleSetFields?: ShownRules;
  createdAt: number;
  mine: boolean;
}

export const seeks = async (): Promise<Seek[]> => ((await call('GET', '/api/flagfall/seeks')) as { seeks: Seek[] }).seeks;

/** Take a seek; the answer is the game. */
export const acceptSeek = (id: string): Promise<{ gameId: string }> =>
  call('POST', `/api/flagfall/seeks/${id}/accept`) as Promise<{ gameId: string }>;

export const cancelSeek = (id: string): Promise<unknown> => call('DELETE', `/api/flagfall/seeks/${id}`);

/** The fields of a seek: minutes instead of `clock.limit`, and whose ratings fit. */
export function seekFields(terms: Terms, ratingRange: string): object {
  const { 'clock.limit': limit, 'clock.increment': increment, ...others } = terms;
  return {
    ...others,
    ...(limit === undefined ? {} : { time: limit / 60, increment: increment ?? 0 }),
    ...(ratingRange ? { ratingRange } : {}),
  };
}

/**
 * Look for an opponent for as long as `until` allows; a game that begins is told on the socket. With `days` the seek
 * waits without this page; the answer is then the game's id, if somebody had waited.
 */
export async function seek(fields: object, until: AbortSignal): Promise<{ game?: string }> {
  const answer = await fetch('/api/board/seek', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
    signal: until,
  });
  const text = await answer.text();
  const said = (text.trim() ? JSON.parse(text) : {}) as { error?: string; code?: string; game?: string };
  if (!answer.ok) throw new RestError(answer.status, said.code ?? '', said.error ?? 'The server said no.');
  return said;
}

/** An entry of `nowPlaying`. */
export interface RunningGame {
  gameId: string;
  color: Color;
  fen: string;
  lastMove?: string | null;
  isMyTurn: boolean;
  hasMoved: boolean;
  opponent: { id: string | null; username: string; ai?: number | null };
  secondsLeft?: number | null;
  speed: string;
  variant?: { key: string };
}

export const runningGames = async (): Promise<RunningGame[]> =>
  ((await call('GET', '/api/account/playing')) as { nowPlaying: RunningGame[] }).nowPlaying;
