// The REST calls of correspondence alone.
import { call } from '../net/rest.ts';

const lines = (answer: unknown): string[] => (answer as { lines: string[][] }).lines.map((line) => line.join(' '));

/** The own conditional moves, a line each, in UCI. */
export const conditionalMoves = async (gameId: string): Promise<string[]> =>
  lines(await call('GET', `/api/flagfall/games/${gameId}/conditional-moves`));

/** Set them: lines of UCI or SAN with commas between; an empty text forgets all. */
export const setConditionalMoves = async (gameId: string, text: string): Promise<string[]> =>
  lines(await call('POST', `/api/flagfall/games/${gameId}/conditional-moves`, { lines: text }));

/** Days from now on; 0 ends it. The answer is until when, in ms. */
export const setVacation = async (days: number): Promise<number | null> =>
  ((await call('POST', '/api/flagfall/vacation', { vacationDays: days })) as { until: number | null }).until;
