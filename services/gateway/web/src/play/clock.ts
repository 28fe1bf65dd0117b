// What a clock shows at a moment, and how it is written.
import type { Color } from '../chess/color.ts';
import type { GameState } from '../net/wire.ts';
import { spanOf } from '../words/language.ts';
import { say } from '../words/say.ts';

/** Below this the tenths are shown. */
export const TENTHS_BELOW_MS = 20_000;

/** What `color` has left at the server time `now`: never below zero, never more than the server said. */
export function remaining(state: GameState, color: Color, now: number): number {
  if (!state.clock) return 0;
  const said = state.clock[color];
  const spent = state.clock.running === color ? Math.max(0, now - state.at) : 0;
  return Math.max(0, said - spent);
}

const two = (n: number): string => String(n).padStart(2, '0');

/** `1:02:03`, `12:05`, `0:09.4`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  if (ms < TENTHS_BELOW_MS) return `${m}:${two(s)}.${Math.floor((ms % 1000) / 100)}`;
  return `${m}:${two(s)}`;
}

/** A long span in at most two units: `2 days 4 h`, `3 h 20 min`; under an hour as a clock. */
export function spanText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const [days, hours] = [say('time.days', { days: d }), say('time.shortHours', { hours: h })];
  if (d > 0) return h > 0 ? spanOf([days, hours]) : days;
  if (h > 0) return spanOf([hours, say('time.shortMinutes', { minutes: m })]);
  return clockText(ms);
}

/** The same for a screen reader: `2 minutes 5 seconds`. */
export function spokenText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = [
    h > 0 ? [say('time.hours', { hours: h })] : [],
    m > 0 ? [say('time.minutes', { minutes: m })] : [],
    (s > 0 || seconds < 60) && h === 0 ? [say('time.seconds', { seconds: s })] : [],
  ];
  return spanOf(parts.flat());
}
