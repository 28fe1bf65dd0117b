// Claiming a draw by repetition or by the move count: for the position on the board, or with an intended move.
import type { VNode } from 'preact';
import { hasClaims } from '../chess/rule_sets.ts';
import { say } from '../words/say.ts';
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
      <div class="offer" role="group" aria-label={say('play.claimWithMove')}>
        <span role="status">{say('play.makeIntendedMove')}</span>
        <button type="button" onClick={() => onClaiming(false)}>
          {say('play.doNotClaim')}
        </button>
      </div>
    );
  }
  return (
    <>
      {due && (
        <div class="offer" role="group" aria-label={say('play.drawClaim')}>
          <span>{say(state.claims.includes('threefold') ? 'play.threefold' : 'play.fiftyMoves')}</span>
          <button type="button" class="primary" onClick={claim}>
            {say('play.claimDraw')}
          </button>
        </div>
      )}
      {!due && mayIntend && (
        <button type="button" class="quiet claim-next" onClick={() => onClaiming(true)}>
          {say('play.claimNext')}
        </button>
      )}
    </>
  );
}
