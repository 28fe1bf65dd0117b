// The legal moves of a position, which the server sends, sorted for a board: from square to square, or out of the hand.
import { castledKing, castlingRook, type Placement } from './position.ts';
import type { Variant } from './variants.ts';

export interface LegalList {
  /** Target squares by the square to move from; castling has the king's and the rook's. */
  dests: ReadonlyMap<string, readonly string[]>;
  /** Target squares by the letter, in lower case, of a piece in hand. */
  drops: ReadonlyMap<string, readonly string[]>;
  /** The moves from one square to another: several when a pawn may become one of several pieces. */
  moves(from: string, to: string): readonly string[];
}

/** Sort UCI moves of the position with this placement. */
export function legalList(legal: readonly string[], placement: Placement, variant: Variant): LegalList {
  const bySquares = new Map<string, string[]>();
  const drops = new Map<string, string[]>();
  const castlings: string[] = [];
  for (const uci of legal) {
    if (uci.charAt(1) === '@') {
      push(drops, uci.charAt(0).toLowerCase(), uci.slice(2, 4));
      continue;
    }
    push(bySquares, uci.slice(0, 4), uci);
    if (castlingRook(placement, uci.slice(0, 2), uci.slice(2, 4), variant) !== null) castlings.push(uci);
  }
  for (const uci of castlings) {
    const from = uci.slice(0, 2);
    const rook = castlingRook(placement, from, uci.slice(2, 4), variant)!;
    const king = castledKing(from, rook);
    const far = Math.abs(king.charCodeAt(0) - from.charCodeAt(0)) > 1;
    // A step to the next square is a move of its own, even where that is not legal now.
    for (const to of far ? [king, rook] : [rook]) bySquares.set(from + to, [uci]);
  }
  const dests = new Map<string, string[]>();
  for (const squares of bySquares.keys()) push(dests, squares.slice(0, 2), squares.slice(2, 4));
  return { dests, drops, moves: (from, to) => bySquares.get(from + to) ?? [] };
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const held = map.get(key);
  if (held) held.push(value);
  else map.set(key, [value]);
}

