// What each side has taken, read off the board: the pieces of the start that are gone, promotions set off.
import type { Color } from './color.ts';
import type { Placement } from './position.ts';

const VALUES: Readonly<Record<string, number>> = { p: 1, n: 3, b: 3, r: 5, q: 9 };
const ORDER = 'qrbnp';

export interface Captures {
  /** FEN letters, lower case, of the opponent's pieces that this side has taken, the most valuable first. */
  taken: string[];
  /** By how much this side's pieces are worth more; 0 when they are not. */
  ahead: number;
}

function counts(placement: Placement, color: Color): Map<string, number> {
  const found = new Map<string, number>();
  for (const letter of placement.values()) {
    if ((letter === letter.toUpperCase()) !== (color === 'white')) continue;
    const role = letter.toLowerCase();
    found.set(role, (found.get(role) ?? 0) + 1);
  }
  return found;
}

function worth(men: Map<string, number>): number {
  return [...men].reduce((sum, [role, n]) => sum + n * (VALUES[role] ?? 0), 0);
}

/** The captures of `color` in a game that began with the pieces of `initial`. */
export function captures(placement: Placement, color: Color, initial: Placement): Captures {
  const theirs: Color = color === 'white' ? 'black' : 'white';
  const before = counts(initial, theirs);
  const now = counts(placement, theirs);
  const taken: string[] = [];
  let promoted = 0;
  for (const role of ORDER) {
    let gone = (before.get(role) ?? 0) - (now.get(role) ?? 0);
    // A surplus was pawns; those pawns were not taken.
    if (role === 'p') gone -= promoted;
    else if (gone < 0) promoted -= gone;
    for (let i = 0; i < gone; i++) taken.push(role);
  }
  return { taken, ahead: Math.max(0, worth(counts(placement, color)) - worth(now)) };
}
