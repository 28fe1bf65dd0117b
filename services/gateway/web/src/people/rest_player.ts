// The REST calls of a player's page.
import { call, RestError } from '../net/rest.ts';
import type { GameInfo, GameState } from '../net/wire.ts';

export interface Rating {
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  games: number;
  provisional: boolean;
  progress: number;
}

export interface PlayerData {
  id: string;
  name: string;
  guest: boolean;
  title?: string | null;
  online: boolean;
  createdAt: number;
  seenAt: number;
  record: { games: number; won: number; lost: number; drawn: number; playing: number };
  ratings: Rating[];
  vacationUntil?: number | null;
}

export interface RatingPoint {
  variant: string;
  speed: string;
  rating: number;
  game: string;
  at: number;
}

export interface Progress {
  beaten: { variant: string; level: number; wins: number; winsWithoutHelp: number; first: number }[];
  badges: { key: string; name: string; description: string; earned: number | null }[];
}

export interface GameSummary {
  id: string;
  info: GameInfo;
  state: GameState;
}

const path = (name: string): string => `/api/flagfall/players/${encodeURIComponent(name)}`;

/** A player's page; null when there is no such player. */
export const player = async (name: string): Promise<PlayerData | null> => {
  try {
    return (await call('GET', path(name))) as PlayerData;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const ratingHistory = async (name: string): Promise<RatingPoint[]> =>
  ((await call('GET', `${path(name)}/ratings`)) as { history: RatingPoint[] }).history;

export const progress = (name: string): Promise<Progress> => call('GET', `${path(name)}/progress`) as Promise<Progress>;

export interface GamesWanted {
  player: string;
  variant: string;
  result: string;
}

/** A page of games that fit; `next` is where the following one begins. */
export function gamesOf(wanted: GamesWanted, after: string | null): Promise<{ games: GameSummary[]; next: string | null }> {
  const asked = new URLSearchParams({ player: wanted.player, nb: '20' });
  if (wanted.variant) asked.set('variant', wanted.variant);
  if (wanted.result) asked.set('result', wanted.result);
  if (after) asked.set('after', after);
  return call('GET', `/api/flagfall/games?${asked}`) as Promise<{ games: GameSummary[]; next: string | null }>;
}

/** Where all of a player's games are to be had as a file. */
export const allGamesHref = (name: string): string => `/api/games/user/${encodeURIComponent(name)}`;
