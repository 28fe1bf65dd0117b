// The REST calls of a player's page.
import type { GamesFound, PlayerPage, Progress, RatingPoint, Ratings } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';
import type { GameSummary } from '../net/wire.ts';

export type { GameSummary, PlayerPage, Progress, RatingPoint };

const path = (name: string): string => `/api/flagfall/players/${encodeURIComponent(name)}`;

/** A player's page; null when there is no such player. */
export const player = async (name: string): Promise<PlayerPage | null> => {
  try {
    return (await call('GET', path(name))) as PlayerPage;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const ratingHistory = async (name: string): Promise<RatingPoint[]> =>
  ((await call('GET', `${path(name)}/ratings`)) as Ratings).history;

export const progress = (name: string): Promise<Progress> => call('GET', `${path(name)}/progress`) as Promise<Progress>;

export interface GamesWanted {
  player: string;
  variant: string;
  result: string;
}

/** A page of games that fit; `next` is where the following one begins. */
export function gamesOf(wanted: GamesWanted, after: string | null): Promise<GamesFound> {
  const asked = new URLSearchParams({ player: wanted.player, nb: '20' });
  if (wanted.variant) asked.set('variant', wanted.variant);
  if (wanted.result) asked.set('result', wanted.result);
  if (after) asked.set('after', after);
  return call('GET', `/api/flagfall/games?${asked}`) as Promise<GamesFound>;
}

/** Where all of a player's games are to be had as a file. */
export const allGamesHref = (name: string): string => `/api/games/user/${encodeURIComponent(name)}`;
