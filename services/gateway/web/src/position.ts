// Where the pieces stand, for showing earlier moves and a move that is not decided yet. No rules: moves are known to be legal.

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';

/** The piece on each square (`e4`) as its FEN letter. */
export type Placement = ReadonlyMap<string, string>;

export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

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

/** The placement field of a FEN. */
export function placementOf(fen: string): Placement {
  const placement = new Map<string, string>();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else if (letter !== '~') placement.set(squareAt(file++, 8 - index), letter);
    }
  });
  return placement;
}

/** Back to a placement field. */
export function placementText(placement: Placement): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank--) {
    let row = '';
    for (let file = 0; file < 8; file++) row += placement.get(squareAt(file, rank)) ?? '1';
    rows.push(row.replace(/1+/g, (ones) => String(ones.length)));
  }
  return rows.join('/');
}

/** The placement after a legal UCI move of standard chess: castling, en passant and promotion included. */
export function afterMove(placement: Placement, uci: string): Placement {
  const next = new Map(placement);
  const [from, to, promotion] = [uci.slice(0, 2), uci.slice(2, 4), uci.slice(4, 5)];
  const piece = next.get(from);
  if (piece === undefined) return placement;
  const fromFile = FILES.indexOf(from.charAt(0));
  const toFile = FILES.indexOf(to.charAt(0));
  const rank = Number(from.charAt(1));
  if (piece.toLowerCase() === 'p' && fromFile !== toFile && !next.has(to)) next.delete(squareAt(toFile, rank));
  if (piece.toLowerCase() === 'k' && Math.abs(fromFile - toFile) === 2) {
    const rookFrom = squareAt(toFile > fromFile ? 7 : 0, rank);
    const rook = next.get(rookFrom);
    next.delete(rookFrom);
    if (rook !== undefined) next.set(squareAt((fromFile + toFile) / 2, rank), rook);
  }
  next.delete(from);
  next.set(to, promotion ? (piece === 'P' ? promotion.toUpperCase() : promotion) : piece);
  return next;
}

/** Whether this move takes a pawn to its last rank, so that a piece must be chosen. */
export function promotes(placement: Placement, from: string, to: string): boolean {
  const piece = placement.get(from);
  return (piece === 'P' && to.endsWith('8')) || (piece === 'p' && to.endsWith('1'));
}
