// The language of the page, and how it writes dates and lists.

export const LANGUAGE = 'en';

const DAY = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat(LANGUAGE, {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});
const LIST = new Intl.ListFormat(LANGUAGE, { type: 'unit' });
const SPAN = new Intl.ListFormat(LANGUAGE, { type: 'unit', style: 'narrow' });

/** `Mar 1, 2026`. */
export const dayText = (ms: number): string => DAY.format(ms);

/** A day and the time of that day. */
export const momentText = (ms: number): string => MOMENT.format(ms);

/** The parts of one span of time: `2 days 4 h`. */
export const spanOf = (parts: readonly string[]): string => SPAN.format(parts);

/** `pawn, knight, rook`. */
export const listText = (items: readonly string[]): string => LIST.format(items);
