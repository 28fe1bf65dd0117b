// Texts for people: a key of the catalogue and its arguments in, the language's sentence out.
import { IntlMessageFormat } from 'intl-messageformat';
import english from './en.json';
import type { Messages, Part, Tag } from './keys.gen.ts';
import { LANGUAGE } from './language.ts';

export type Key = keyof Messages;
/** Keys of messages with tags, which become elements. */
export type RichKey = { [K in Key]: Tag extends NonNullable<Messages[K]>[keyof NonNullable<Messages[K]>] ? K : never }[Key];
export type PlainKey = Exclude<Key, RichKey>;

const formats = new Map<Key, IntlMessageFormat>();

function formatted(key: Key, args: Messages[Key]): string | Part[] {
  const message = english[key];
  // A key that came as data, such as a level that this page does not know, is shown as it is.
  if (message === undefined) return key;
  if (typeof message === 'string') return message;
  let format = formats.get(key);
  if (!format) {
    format = new IntlMessageFormat(message, LANGUAGE);
    formats.set(key, format);
  }
  return format.format<Part>((args ?? {}) as Record<string, string | number>) as string | Part[];
}

/** The text of a message, with its arguments where it has some. */
export const say = <K extends PlainKey>(key: K, ...args: Messages[K] extends null ? [] : [Messages[K]]): string =>
  formatted(key, args[0] ?? null) as string;

/** The parts of a message with tags: texts and elements. */
export const sayRich = <K extends RichKey>(key: K, args: Messages[K]): string | Part[] => formatted(key, args);
