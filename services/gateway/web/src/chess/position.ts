// A position for showing: where the pieces stand, what is in hand, how many checks were given. Earlier positions and a move
// that is not decided yet are made here from moves that are known to be legal: what a move does, never whether it may.
import type { Color } from './color.ts';
import { VARIANT_TRAITS, type Variant } from './variants.ts';

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';

/** The piece on each square (`e4`) as its FEN letter. */
export type Placement = ReadonlyMap<string, string>;

/** How many of each piece, by its FEN letter in lower case. */
export type Pocket = ReadonlyMap<string, number>;

export interface Position {
  placement: Placement;
  /** Squares of pieces that were pawns: taken, they are pawns again (Crazyhouse). */
  promoted: ReadonlySet<string>;
  /** Pieces in hand; empty in variants without. */
  pockets: Readonly<Record<Color, Pocket>>;
  /** Checks that each side has given; null in variants that do not count them. */
  checks: Readonly<Record<Color, number>> | null;
}

export const CHECKS_TO_WIN = 3;

export const ROLES: Readonly<Record<string, Role>> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

const FILES = 'abcdefgh';
const squareAt = (file: number, rank: number): string => `${FILES[file]}${rank}`;
const fileOf = (square: string): number => FILES.indexOf(square.charAt(0));
const rankOf = (square: string): number => Number(square.charAt(1));

export const colorOf = (letter: string): Color => (letter === letter.toUpperCase() ? 'white' : 'black');

/** The whole of a FEN that can be shown. Pockets stand in brackets or as a ninth row, check counters in either spelling. */
export function positionOf(fen: string): Position {
  const [board = '', ...fields] = fen.trim().split(/\s+/);
  const bracket = board.indexOf('[');
  const rows = (bracket < 0 ? board : board.slice(0, bracket)).split('/');
  const held = bracket < 0 ? rows.slice(8).join('') : board.slice(bracket);
  const placement = new Map<string, string>();
  const promoted = new Set<string>();
  rows.slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else if (letter === '~') promoted.add(squareAt(file - 1, 8 - index));
      else placement.set(squareAt(file++, 8 - index), letter);
    }
  });
  return { placement, promoted, pockets: pocketsOf(held), checks: checksOf(fields) };
}

function pocketsOf(held: string): Record<Color, Map<string, number>> {
  const pockets = { white: new Map<string, number>(), black: new Map<string, number>() };
  for (const letter of held) {
    if (!/[A-Za-z]/.test(letter)) continue;
    const pocket = pockets[colorOf(letter)];
    pocket.set(letter.toLowerCase(), (pocket.get(letter.toLowerCase()) ?? 0) + 1);
  }
  return pockets;
}

/** `3+1`: how many are still needed; `+0+2`: how many were given. */
function checksOf(fields: readonly string[]): Position['checks'] {
  for (const field of fields) {
    const given = /^\+(\d)\+(\d)$/.exec(field);
    if (given) return { white: Number(given[1]), black: Number(given[2]) };
    const needed = /^(\d)\+(\d)$/.exec(field);
    if (needed) return { white: CHECKS_TO_WIN - Number(needed[1]), black: CHECKS_TO_WIN - Number(needed[2]) };
  }
  return null;
}

/** Back to a placement field, without pockets and promoted marks. */
export function placementText(placement: Placement): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank--) {
    let row = '';
    for (let file = 0; file < 8; file++) row += placement.get(squareAt(file, rank)) ?? '1';
    rows.push(row.replace(/1+/g, (ones) => String(ones.length)));
  }
  return rows.join('/');
}

/** The rook that a king castles with by this move, in either spelling (`e1g1`, `e1h1`); null when it is no castling. */
export function castlingRook(placement: Placement, from: string, to: string, variant: Variant): string | null {
  const king = placement.get(from);
  if (!VARIANT_TRAITS[variant].castles || king?.toLowerCase() !== 'k') return null;
  const rook = king === 'K' ? 'R' : 'r';
  if (placement.get(to) === rook) return to;
  if (Math.abs(fileOf(from) - fileOf(to)) < 2) return null;
  const corner = squareAt(fileOf(to) > fileOf(from) ? 7 : 0, rankOf(from));
  return placement.get(corner) === rook ? corner : null;
}

/** Where the king ends that castles with this rook. */
export const castledKing = (from: string, rook: string): string => squareAt(fileOf(rook) > fileOf(from) ? 6 : 2, rankOf(from));

/** The square of the piece that this move takes, en passant included; null when it takes none. */
export function takenAt(placement: Placement, from: string, to: string): string | null {
  const piece = placement.get(from);
  const target = placement.get(to);
  if (piece === undefined) return null;
  if (target !== undefined) return colorOf(target) === colorOf(piece) ? null : to;
  if (piece.toLowerCase() !== 'p' || fileOf(from) === fileOf(to)) return null;
  const behind = squareAt(fileOf(to), rankOf(from));
  return placement.has(behind) ? behind : null;
}

/** A square and those around it. */
export function around(square: string): string[] {
  const found: string[] = [];
  for (let file = fileOf(square) - 1; file <= fileOf(square) + 1; file++) {
    for (let rank = rankOf(square) - 1; rank <= rankOf(square) + 1; rank++) {
      if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) found.push(squareAt(file, rank));
    }
  }
  return found;
}

/** The squares that a move of Atomic blows up; none when it takes nothing. */
export function explodes(placement: Placement, uci: string): string[] {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  return takenAt(placement, from, to) === null ? [] : around(to);
}

/** The position after a legal move of `mover`. Check counters stay: the board alone does not tell what is a check. */
export function afterMove(position: Position, uci: string, mover: Color, variant: Variant): Position {
  const placement = new Map(position.placement);
  const promoted = new Set(position.promoted);
  const pockets = { white: new Map(position.pockets.white), black: new Map(position.pockets.black) };
  const next: Position = { placement, promoted, pockets, checks: position.checks };
  const traits = VARIANT_TRAITS[variant];
  const put = (square: string, letter: string): void => {
    placement.set(square, mover === 'white' ? letter.toUpperCase() : letter.toLowerCase());
  };
  const [from, to, becomes] = [uci.slice(0, 2), uci.slice(2, 4), uci.slice(4, 5)];

  if (from.endsWith('@')) {
    const letter = from.charAt(0).toLowerCase();
    const left = (pockets[mover].get(letter) ?? 0) - 1;
    if (left > 0) pockets[mover].set(letter, left);
    else pockets[mover].delete(letter);
    put(to, letter);
    return next;
  }
  const piece = placement.get(from);
  if (piece === undefined) return position;

  const rook = castlingRook(placement, from, to, variant);
  if (rook !== null) {
    const king = castledKing(from, rook);
    placement.delete(from);
    placement.delete(rook);
    put(king, 'k');
    put(squareAt(fileOf(king) === 6 ? 5 : 3, rankOf(from)), 'r');
    return next;
  }

  const taken = takenAt(placement, from, to);
  if (taken !== null) {
    const letter = promoted.has(taken) ? 'p' : placement.get(taken)!.toLowerCase();
    if (traits.pockets) pockets[mover].set(letter, (pockets[mover].get(letter) ?? 0) + 1);
    placement.delete(taken);
    promoted.delete(taken);
  }
  const wasPromoted = promoted.delete(from);
  placement.delete(from);
  put(to, becomes || piece);
  if (becomes || wasPromoted) promoted.add(to);
  if (taken !== null && traits.explodes) {
    placement.delete(to);
    for (const square of around(to)) {
      if (placement.get(square)?.toLowerCase() !== 'p') placement.delete(square);
    }
  }
  return next;
}
