// The REST calls of the page: same-origin JSON, signed by the cookie.
import type { ShownRules } from '../chess/rule_sets.ts';
import type { RulesIndex, RulesPageData } from '../rules/page_data.ts';
import type { Variant } from '../chess/variants.ts';
import type { ChatLine, Color, Person, Room } from './wire.ts';

/** A refusal or a failure; `message` is the server's own, for people. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field, or the place in a text, where the cause lies; empty when it has none. */
  readonly at: string;
  constructor(status: number, code: string, message: string, at = '') {
    super(message);
    this.status = status;
    this.code = code;
    this.at = at;
  }
}

export interface Account {
  id: string;
  username: string;
  guest?: boolean;
}

export interface Terms {
  'clock.limit'?: number;
  'clock.increment'?: number;
  days?: number;
  /** Seconds for each turn of a live game. */
  perMove?: number;
  rated?: boolean;
  color: Color | 'random';
  variant: Variant;
  /** A preset's name, or a preset and what is changed in it. */
  ruleSet: string | object;
}

export interface Invited {
  id: string;
  name: string;
  rating?: number;
  online?: boolean;
}

/** The challenge object of the public API, as far as the page reads it. */
export interface Challenge {
  id: string;
  status: string;
  url: string;
  challenger: Invited | null;
  /** Whom it is to; null for an open link. */
  destUser?: Invited | null;
  direction?: 'in' | 'out';
  declineReason?: string;
  rematchOf?: string;
  counterTo?: string;
  color: Color | 'random';
  finalColor?: Color | null;
  timeControl: { type: string; limit?: number; increment?: number; daysPerTurn?: number; secondsPerTurn?: number };
  variant?: { key: string };
  ruleSet?: string;
  /** All fields, where no preset's name tells them. */
  ruleSetFields?: ShownRules | null;
  initialFen?: string | null;
  rated: boolean;
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

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const PGN = 'application/x-chess-pgn';

export async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object | Blob): Promise<unknown> {
  const content = body instanceof Blob ? { type: PGN, body } : { type: 'application/json', body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { Accept: 'application/json', ...(body ? { 'Content-Type': content.type } : {}) },
      ...(body ? { body: content.body } : {}),
    });
  } catch {
    throw new RestError(0, 'unreachable', 'The server cannot be reached. Please try again in a moment.');
  }
  const value: unknown = await answer.json().catch(() => null);
  if (answer.ok) return value;
  const said = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const message = text(said['message']) || text(said['error']) || `The server answered with status ${answer.status}.`;
  throw new RestError(answer.status, text(said['code']), message, text(said['at']));
}

/** The signed-in player, or null. */
export async function account(): Promise<Account | null> {
  try {
    return (await call('GET', '/api/account')) as Account;
  } catch (error) {
    if (error instanceof RestError && error.status === 401) return null;
    throw error;
  }
}

/** Become a guest unless somebody is signed in; `known` undefined means that nobody has asked yet. */
export async function accountOrGuest(known: Account | Person | null | undefined): Promise<void> {
  if (known === undefined ? await account() : known) return;
  await call('POST', '/api/flagfall/guests');
}

export const signUp = (username: string, password: string): Promise<unknown> =>
  call('POST', '/api/flagfall/accounts', { username, password });

export const logIn = (username: string, password: string): Promise<unknown> =>
  call('POST', '/api/flagfall/login', { username, password });

export const logOut = (): Promise<unknown> => call('POST', '/api/flagfall/logout');

export const playComputer = (level: number, terms: Terms): Promise<{ id: string }> =>
  call('POST', '/api/challenge/ai', { level, ...terms }) as Promise<{ id: string }>;

export const makeLink = (terms: Terms): Promise<Challenge> =>
  call('POST', '/api/challenge/open', terms) as Promise<Challenge>;

export const showChallenge = async (id: string): Promise<Challenge | null> => {
  try {
    return (await call('GET', `/api/challenge/${id}/show`)) as Challenge;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const accept = (id: string, color: Color | 'random'): Promise<unknown> =>
  call('POST', `/api/challenge/${id}/accept?color=${color}`);

export const decline = (id: string, reason: string): Promise<unknown> =>
  call('POST', `/api/challenge/${id}/decline`, { reason });

/** Answer an invitation with other terms. */
export const counter = (id: string, terms: Terms): Promise<Challenge> =>
  call('POST', `/api/flagfall/challenges/${id}/counter`, terms) as Promise<Challenge>;

export const challengePlayer = (name: string, terms: Terms): Promise<Challenge> =>
  call('POST', `/api/challenge/${encodeURIComponent(name)}`, terms) as Promise<Challenge>;

export const challenges = (): Promise<{ in: Challenge[]; out: Challenge[] }> =>
  call('GET', '/api/challenge') as Promise<{ in: Challenge[]; out: Challenge[] }>;

/** Ask for a rematch, or agree to one: `game` when it has begun. */
export const askRematch = (gameId: string): Promise<{ challenge: Challenge | null; game: { gameId: string } | null }> =>
  call('POST', `/api/flagfall/games/${gameId}/rematch`) as Promise<{
    challenge: Challenge | null;
    game: { gameId: string } | null;
  }>;

export const chatLines = (gameId: string): Promise<{ room: Room; lines: ChatLine[] }> =>
  call('GET', `/api/flagfall/games/${gameId}/chat`) as Promise<{ room: Room; lines: ChatLine[] }>;

export const cancel = (id: string): Promise<unknown> => call('POST', `/api/challenge/${id}/cancel`);

export const runningGames = async (): Promise<RunningGame[]> =>
  ((await call('GET', '/api/account/playing')) as { nowPlaying: RunningGame[] }).nowPlaying;

/** Keep a finished game out of a PGN; the bytes go as they are, since what encoding they have is the server's question. */
export const importGame = (pgn: Blob): Promise<{ id: string }> =>
  call('POST', '/api/import', pgn) as Promise<{ id: string }>;

/** Where a game's moves are to be had as a file. */
export const pgnHref = (gameId: string): string => `/game/export/${gameId}`;

export const rulesIndex = (): Promise<RulesIndex> => call('GET', '/api/flagfall/rules') as Promise<RulesIndex>;

/** One page of rules; null when there is none by this key. */
export const rulesPage = async (key: string): Promise<RulesPageData | null> => {
  try {
    return (await call('GET', `/api/flagfall/rules/${key}`)) as RulesPageData;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};
