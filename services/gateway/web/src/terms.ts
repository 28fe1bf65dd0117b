// What a new game may be played on, as the form offers it.
import type { Terms } from './rest.ts';

/** Times that are one click away: minutes + seconds for each move. */
export const PRESETS = [
  [1, 0],
  [3, 2],
  [5, 0],
  [10, 0],
  [15, 10],
  [30, 20],
] as const;

/** Initial times to choose from, in seconds. */
export const INITIAL_SECONDS: readonly number[] = [
  15,
  30,
  45,
  60,
  90,
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150, 180].map((m) => m * 60),
];

export const DAYS = [1, 2, 3, 5, 7, 10, 14] as const;
export const INCREMENT_SECONDS_MAX = 60;

export interface TimeChoice {
  /** `10+0` and the like for a preset. */
  kind: string;
  seconds: number;
  increment: number;
  days: number;
}

export const FIRST_CHOICE: TimeChoice = { kind: '10+0', seconds: 1200, increment: 5, days: 3 };

/** The fields of the request for this choice. */
export function timeFields(choice: TimeChoice): Pick<Terms, 'clock.limit' | 'clock.increment' | 'days'> {
  if (choice.kind === 'untimed') return {};
  if (choice.kind === 'days') return { days: choice.days };
  if (choice.kind === 'custom') return { 'clock.limit': choice.seconds, 'clock.increment': choice.increment };
  const [limit = 10, increment = 0] = choice.kind.split('+').map(Number);
  return { 'clock.limit': limit * 60, 'clock.increment': increment };
}
