// Invitations as the public API has them (it calls them challenges), and the requests about them.
import type { Color } from '../chess/color.ts';
import type { AskedRematch, Challenge, Challenges, ComputerGame, Fields } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';

/** The terms of a game, as requests name them. */
export type Terms = Partial<Pick<Fields, 'clock.limit' | 'clock.increment' | 'days' | 'perMove' | 'rated'>> &
  Pick<Fields, 'color' | 'variant' | 'ruleSet'>;

export type { Challenge };

export const playComputer = (level: number, terms: Terms): Promise<ComputerGame> =>
  call('POST', '/api/challenge/ai', { level, ...terms }) as Promise<ComputerGame>;

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
  call('POST', `/api/challenge/${id}/decline`, { reason } satisfies Pick<Fields, 'reason'>);

/** Answer an invitation with other terms. */
export const counter = (id: string, terms: Terms): Promise<Challenge> =>
  call('POST', `/api/flagfall/challenges/${id}/counter`, terms) as Promise<Challenge>;

export const challengePlayer = (name: string, terms: Terms): Promise<Challenge> =>
  call('POST', `/api/challenge/${encodeURIComponent(name)}`, terms) as Promise<Challenge>;

export const challenges = (): Promise<Challenges> => call('GET', '/api/challenge') as Promise<Challenges>;

/** Ask for a rematch, or agree to one: `game` when it has begun. */
export const askRematch = (gameId: string): Promise<AskedRematch> =>
  call('POST', `/api/flagfall/games/${gameId}/rematch`) as Promise<AskedRematch>;

export const cancel = (id: string): Promise<unknown> => call('POST', `/api/challenge/${id}/cancel`);
