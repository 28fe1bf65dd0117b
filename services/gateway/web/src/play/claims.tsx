// Claiming a draw by repetition or by the move count: for the position on the board, or with an intended move.
import type { VNode } from 'preact';
import { hasClaims } from '../chess/rule_sets.ts';
import { halfMovesOf } from '../words/wording.ts';
import { rulesOfGame, type Game } from './game.ts';

/** Before this ply no position can come up for the third time with the next move. */
const REPEATED_FROM_PLY = 7;
/** From so many half-moves on the next move can complete the fiftieth. */
const FIFTY_FROM_HALF_MOVES = 99;

interface ClaimsProps {
  game: Game;
  claiming: boolean;
  onClaiming(claiming: boolean): void;
  claim(): void;
}

export function Claims({ game, claiming, onClaiming, claim }: ClaimsProps): VNode | null {
  const { state, you, info } = game;
  if (state.paused) return null;
  const due = state.claims.length > 0;
  const soon = state.ply >= REPEATED_FROM_PLY || halfMovesOf(state.fen) >= FIFTY_FROM_HALF_MOVES;
  const mayIntend = hasClaims(rulesOfGame(info)) && state.turn === you && soon;

  if (claiming && mayIntend) {
    return (
      <div class="offer" role="group" aria-label="Draw claim with a move">
        <span role="status">
          Make the move that you intend. It is not played: if it repeats the position for the third time or completes fifty
          moves, the game is drawn.
        </span>
        <button type="button" onClick={() => onClaiming(false)}>
          Do not claim
        </button>
      </div>
    );
  }
  return (
    <>
      {due && (
        <div class="offer" role="group" aria-label="Draw claim">
          <span>{state.claims.includes('threefold') ? 'Threefold repetition.' : 'Fifty moves passed.'}</span>
          <button type="button" class="primary" onClick={claim}>
            Claim draw
          </button>
        </div>
      )}
      {!due && mayIntend && (
        <button type="button" class="quiet claim-next" onClick={() => onClaiming(true)}>
          Claim a draw with my next move
        </button>
      )}
    </>
  );
}
