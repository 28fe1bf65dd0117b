// The REST calls of a player's page.
import type { GamesFound, Operations, PlayerPage, Progress, RatingPoint } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';
import type { GameSummary } from '../net/wire.ts';

export type { GameSummary, PlayerPage, Progress, RatingPoint };

/** A player's page; null when there is no such player. */
export const player = async (name: string): Promise<PlayerPage | null> => {
  try {
    return await call('GET /api/flagfall/players/{player_id}', { of: { player_id: name } });
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const ratingHistory = async (name: string): Promise<RatingPoint[]> =>
  (await call('GET /api/flagfall/players/{username}/ratings', { of: { username: name } })).history;

export const progress = (name: string): Promise<Progress> =>
  call('GET /api/flagfall/players/{username}/progress', { of: { username: name } });

type Search = Operations['GET /api/flagfall/games']['query'];

/** Which games; an empty text is any. */
export interface GamesWanted {
  player: string;
  variant: NonNullable<Search['variant']> | '';
  result: NonNullable<Search['result']> | '';
}

/** A page of games that fit; `next` is where the following one begins. */
export function gamesOf({ player, variant, result }: GamesWanted, after: string | null): Promise<GamesFound> {
  const asked = { ...(variant && { variant }), ...(result && { result }), ...(after && { after }) };
  return call('GET /api/flagfall/games', { query: { player, nb: 20, ...asked } });
}

/** Where all of a player's games are to be had as a file. */
export const allGamesHref = (name: string): string => `/api/games/user/${encodeURIComponent(name)}`;
