// The position after each move of a game, for looking back. The wire has the moves; what each does is in position.ts.
import { other, type Color } from '../chess/color.ts';
import { afterMove, CHECKS_TO_WIN, positionOf, type Position } from '../chess/position.ts';
import { startFen, variantOf } from '../chess/variants.ts';
import { rulesOfGame, type Game } from './game.ts';

/** Who moves at a ply, counted from 0. */
export function moverAt(game: Game, ply: number): Color {
  return (game.moves.length - ply) % 2 === 0 ? game.state.turn : other(game.state.turn);
}

/** The position before the first move, and after each. */
export function positionsOf(game: Game): Position[] {
  const variant = variantOf(game.info.variant);
  const found = [positionOf(game.info.initialFen ?? startFen(variant, rulesOfGame(game.info).chaturanga))];
  game.moves.forEach((move, ply) => {
    const mover = moverAt(game, ply);
    const next = afterMove(found[ply]!, move.uci, mover, variant);
    found.push(/[+#]$/.test(move.san) ? withCheck(next, mover) : next);
  });
  return found;
}

/** One check more, in variants that count them. */
function withCheck(position: Position, by: Color): Position {
  if (!position.checks) return position;
  return { ...position, checks: { ...position.checks, [by]: Math.min(CHECKS_TO_WIN, position.checks[by] + 1) } };
}
