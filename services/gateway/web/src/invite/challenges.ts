// Invitations as the public API has them (it calls them challenges), and the requests about them.
import type { Color } from '../chess/color.ts';
import type { AskedRematch, Challenge, Challenges, ComputerGame, Fields } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';

/** The terms of a game, as requests name them. */
export type Terms = Partial<Pick<Fields, 'clock.limit' | 'clock.increment' | 'days' | 'perMove' | 'rated'>> &
  Pick<Fields, 'color' | 'variant' | 'ruleSet'>;

export type { Challenge };

export const playComputer = (level: number, terms: Terms): Promise<ComputerGame> =>
  call('POST /api/challenge/ai', { body: { level, ...terms } });

export const makeLink = (terms: Terms): Promise<Challenge> =>
  call('POST /api/challenge/open', { body: terms });

export const showChallenge = async (id: string): Promise<Challenge | null> => {
  try {
    return await call('GET /api/challenge/{challenge_id}/show', { of: { challenge_id: id } });
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const accept = (id: string, color: Color | 'random'): Promise<unknown> =>
  call('POST /api/challenge/{challenge_id}/accept', { of: { challenge_id: id }, query: { color } });

export const decline = (id: string, reason: string): Promise<unknown> =>
  call('POST /api/challenge/{challenge_id}/decline', { of: { challenge_id: id }, body: { reason } });

/** Answer an invitation with other terms. */
export const counter = (id: string, terms: Terms): Promise<Challenge> =>
  call('POST /api/flagfall/challenges/{challenge_id}/counter', { of: { challenge_id: id }, body: terms });

export const challengePlayer = (name: string, terms: Terms): Promise<Challenge> =>
  call('POST /api/challenge/{username}', { of: { username: name }, body: terms });

export const challenges = (): Promise<Challenges> => call('GET /api/challenge');

/** Ask for a rematch, or agree to one: `game` when it has begun. */
export const askRematch = (gameId: string): Promise<AskedRematch> =>
  call('POST /api/flagfall/games/{game_id}/rematch', { of: { game_id: gameId } });

export const cancel = (id: string): Promise<unknown> => call('POST /api/challenge/{challenge_id}/cancel', { of: { challenge_id: id } });
