// The REST calls of the lobby.
import type { Terms } from '../invite/challenges.ts';
import type { Operations, OwnGame, Problem, Seek, Seeking } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';

export type { OwnGame, Seek };

export const seeks = async (): Promise<Seek[]> => (await call('GET /api/flagfall/seeks')).seeks;

/** Take a seek; the answer is the game. */
export const acceptSeek = (id: string): Promise<OwnGame> =>
  call('POST /api/flagfall/seeks/{seek_id}/accept', { of: { seek_id: id } });

export const cancelSeek = (id: string): Promise<unknown> => call('DELETE /api/flagfall/seeks/{seek_id}', { of: { seek_id: id } });

type SeekFields = Operations['POST /api/board/seek']['body'];

/** The fields of a seek: minutes instead of `clock.limit`, and whose ratings fit. */
export function seekFields(terms: Terms, ratingRange: string): SeekFields {
  const { 'clock.limit': limit, 'clock.increment': increment, ...others } = terms;
  return {
    ...others,
    ...(limit === undefined ? {} : { time: limit / 60, increment: increment ?? 0 }),
    ...(ratingRange ? { ratingRange } : {}),
  };
}

/**
 * Look for an opponent for as long as `until` allows; a frame of the socket reports the game. With `days` the seek
 * waits without this page; the answer is then the game's id, if an opponent was waiting.
 */
export async function seek(fields: SeekFields, until: AbortSignal): Promise<Partial<Seeking>> {
  const answer = await fetch('/api/board/seek', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
    signal: until,
  });
  const text = await answer.text();
  const said = (text.trim() ? JSON.parse(text) : {}) as Partial<Problem & Seeking>;
  if (!answer.ok) throw new RestError(answer.status, said.code ?? '', said.error ?? '');
  return said;
}

/** The games that go on, as the player sees them. */
export const runningGames = async (): Promise<OwnGame[]> =>
  (await call('GET /api/account/playing')).nowPlaying;
