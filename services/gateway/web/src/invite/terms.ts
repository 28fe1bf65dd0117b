// What a new game may be played on, as the form offers it.
import { other, type Color } from '../chess/color.ts';
import { choiceOf, FIRST_RULES, ruleSetField, rulesOf, type RulesChoice } from '../chess/rule_sets.ts';
import { variantOf, type Variant } from '../chess/variants.ts';
import type { TimeControl } from '../net/wire.ts';
import type { Challenge, Terms } from './challenges.ts';

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

/** Seconds for each turn of a live game. */
export const TURN_SECONDS = [30, 60] as const;
export const DAYS = [1, 2, 3, 5, 7, 10, 14] as const;
export const INCREMENT_SECONDS_MAX = 60;

export interface TimeChoice {
  /** `10+0` and the like for a preset. */
  kind: string;
  seconds: number;
  increment: number;
  days: number;
  /** Seconds for each turn. */
  turn: number;
}

export const FIRST_CHOICE: TimeChoice = { kind: '10+0', seconds: 1200, increment: 5, days: 14, turn: 30 };

/** The fields of the request for this choice. */
export function timeFields(choice: TimeChoice): Pick<Terms, 'clock.limit' | 'clock.increment' | 'days' | 'perMove'> {
  if (choice.kind === 'untimed') return {};
  if (choice.kind === 'days') return { days: choice.days };
  if (choice.kind === 'perMove') return { perMove: choice.turn };
  if (choice.kind === 'custom') return { 'clock.limit': choice.seconds, 'clock.increment': choice.increment };
  const [limit = 10, increment = 0] = choice.kind.split('+').map(Number);
  return { 'clock.limit': limit * 60, 'clock.increment': increment };
}

/** All that a form for a game holds. */
export interface TermsChoice {
  time: TimeChoice;
  color: Color | 'random';
  variant: Variant;
  rules: RulesChoice;
  rated: boolean;
}

export const FIRST_TERMS: TermsChoice = {
  time: FIRST_CHOICE,
  color: 'random',
  variant: 'standard',
  rules: FIRST_RULES,
  rated: false,
};

/** The request for this choice. */
export function termsOf({ time, color, variant, rules, rated }: TermsChoice): Terms {
  return { ...timeFields(time), color, variant, ruleSet: ruleSetField(rules, variant), ...(rated ? { rated } : {}) };
}

/** The form's time for a challenge's. */
export function timeChoice(control: Challenge['timeControl']): TimeChoice {
  if (control.type === 'perMove') return { ...FIRST_CHOICE, kind: 'perMove', turn: control.secondsPerTurn };
  if (control.type === 'correspondence') return { ...FIRST_CHOICE, kind: 'days', days: control.daysPerTurn };
  if (control.type === 'unlimited') return { ...FIRST_CHOICE, kind: 'untimed' };
  const { limit, increment } = control;
  const preset = PRESETS.some(([minutes, more]) => minutes * 60 === limit && more === increment);
  if (preset) return { ...FIRST_CHOICE, kind: `${limit / 60}+${increment}` };
  return { ...FIRST_CHOICE, kind: 'custom', seconds: limit, increment };
}

/** The terms of an invitation for the form of the invited player, who changes them: the colour is that player's own. */
export function termsOfChallenge(challenge: Challenge): TermsChoice {
  return {
    time: timeChoice(challenge.timeControl),
    color: challenge.color === 'random' ? 'random' : other(challenge.color),
    variant: variantOf(challenge.variant.key),
    rules: choiceOf(rulesOf(challenge.ruleSet, challenge.ruleSetFields)),
    rated: challenge.rated,
  };
}

/** A challenge's time control as a game has it; the public API counts in seconds and names the fields differently. */
export function challengeTime(challenge: Pick<Challenge, 'timeControl'>): TimeControl {
  const control = challenge.timeControl;
  if (control.type === 'perMove') return { type: 'perMove', turn: control.secondsPerTurn * 1000 };
  if (control.type === 'clock')
    return { type: 'clock', initial: control.limit * 1000, increment: control.increment * 1000 };
  return control.type === 'correspondence' ? { type: 'correspondence', days: control.daysPerTurn } : control;
}
