// What is on the board at a moment of the game, and how a screen reader announces it.
import { other } from '../chess/color.ts';
import { afterMove, explodes, positionOf, type Position } from '../chess/position.ts';
import { VARIANT_TRAITS, variantOf } from '../chess/variants.ts';
import { say } from '../words/say.ts';
import { ending, personName, spokenMove } from '../words/wording.ts';
import type { BoardPosition } from './board.tsx';
import { isYourTurn, type Game } from './game.ts';
import { moverAt } from './history.ts';

export interface Shown extends BoardPosition {
  position: Position;
}

/** What is on the board at `ply`: the newest position with the pending move, or an earlier one to look at. */
export function shownAt(game: Game, positions: readonly Position[], ply: number, pending: string | null): Shown {
  const variant = variantOf(game.info.variant);
  const { fen, turn, check, lastMove, legal, status, paused } = game.state;
  const newest = game.moves.length;
  const blast = (before: Position | undefined, uci: string | undefined): string[] =>
    before && uci && VARIANT_TRAITS[variant].explodes ? explodes(before.placement, uci) : [];
  if (ply < newest) {
    const position = positions[ply]!;
    const [move, mover] = [game.moves[ply - 1], moverAt(game, ply)];
    return {
      position,
      placement: position.placement,
      turn: mover,
      check: move && /[+#]$/.test(move.san) ? mover : null,
      lastMove: move?.uci ?? null,
      blast: blast(positions[ply - 1], move?.uci),
      legal: [],
    };
  }
  const now = positionOf(fen);
  if (pending) {
    const position = afterMove(now, pending, turn, variant);
    const { placement } = position;
    return { position, placement, turn: other(turn), check: null, lastMove: pending, blast: blast(now, pending), legal: [] };
  }
  return {
    position: now,
    placement: now.placement,
    turn,
    check: check ? turn : null,
    lastMove: lastMove?.uci ?? null,
    blast: blast(positions[newest - 1], lastMove?.uci),
    legal: status === 'started' && !paused ? (legal ?? []) : [],
  };
}

export function announcement(game: Game): string {
  const { state, info, you } = game;
  const mover = other(state.turn);
  const last = state.lastMove
    ? say('play.spokenMove', { side: mover, move: spokenMove(state.lastMove.san, variantOf(info.variant)) })
    : '';
  const end = ending(state);
  if (end) return `${last} ${end.headline}. ${end.reason}`;
  const turn = isYourTurn(game) ? say('play.yourMove') : say('play.toMove', { side: state.turn });
  if (state.paused) return `${last} ${say('play.pausedByFlag', { side: state.paused.flagged })}`;
  const { drawOffer, takebackOffer } = state;
  const offer = drawOffer && drawOffer !== you ? say('play.offersDraw', { name: personName(info[drawOffer]) }) : '';
  const takeback =
    takebackOffer && takebackOffer !== you ? say('play.asksTakeback', { name: personName(info[takebackOffer]) }) : '';
  return `${last} ${turn} ${offer}${takeback}`;
}
