// Commands that the server has not answered. They are sent again with the same id, which has no second effect.
import type { Command } from './wire.ts';

/** An unanswered command is repeated on a living connection after this time. */
export const REPEAT_AFTER_MS = 5_000;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/** A command id: 16 random characters. */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => ALPHABET[byte % 64]).join('');
}

export class Outbox {
  readonly #waiting = new Map<string, { command: Command; sentAt: number }>();

  add(command: Command, now: number): void {
    this.#waiting.set(command.id, { command, sentAt: now });
  }

  /** Take out an answered command; undefined when it is not, or no longer, ours. */
  answered(id: string): Command | undefined {
    const entry = this.#waiting.get(id);
    this.#waiting.delete(id);
    return entry?.command;
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** All that wait, in the order of their making, counted as sent at `now`. */
  all(now: number): Command[] {
    return this.due(now, 0);
  }

  /** Those last sent at least `age` ago, counted as sent at `now`. */
  due(now: number, age: number = REPEAT_AFTER_MS): Command[] {
    const due = [...this.#waiting.values()].filter((entry) => now - entry.sentAt >= age);
    for (const entry of due) entry.sentAt = now;
    return due.map((entry) => entry.command);
  }
}
