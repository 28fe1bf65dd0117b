// What a player may do besides moving. Resigning asks again.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { other } from '../chess/color.ts';
import type { Act } from '../net/wire.ts';
import { Icon } from '../ui/icon.tsx';
import { personName } from '../words/wording.ts';
import { Claims } from './claims.tsx';
import { mayAbort, rulesOfGame, type Game } from './game.ts';

interface ControlsProps {
  game: Game;
  /** The next move is to be claimed with, not played. */
  claiming: boolean;
  onClaiming(claiming: boolean): void;
  act(kind: Act): void;
  claim(): void;
}

export function Controls({ game, claiming, onClaiming, act, claim }: ControlsProps): VNode | null {
  const [confirming, setConfirming] = useState(false);
  const { state, you, info } = game;
  if (!you || state.status !== 'started') return null;
  const opponent = info[other(you)];
  const soonEnough = state.ply >= 2 || rulesOfGame(info).agreement === 'anyTime';
  const mayOffer = soonEnough && !state.drawOffer && state.claims.length === 0 && !opponent.level && !state.paused;

  if (confirming) {
    return (
      <div
        class="controls confirm"
        role="group"
        aria-label="Resign?"
        onKeyDown={(event) => event.key === 'Escape' && setConfirming(false)}
      >
        <span>Really resign?</span>
        <button
          type="button"
          class="danger"
          ref={(button) => button?.focus()}
          onClick={() => {
            setConfirming(false);
            act('resign');
          }}
        >
          Yes, resign
        </button>
        <button type="button" onClick={() => setConfirming(false)}>
          No
        </button>
      </div>
    );
  }

  return (
    <>
      {state.drawOffer === other(you) && (
        <div class="offer" role="group" aria-label="Draw offer">
          <span>{personName(opponent)} offers a draw.</span>
          <button type="button" class="primary" onClick={() => act('draw')}>
            Accept
          </button>
          <button type="button" onClick={() => act('nodraw')}>
            Decline
          </button>
        </div>
      )}
      {state.drawOffer === you && (
        <div class="offer" role="group" aria-label="Your draw offer">
          <span>You offer a draw.</span>
          <button type="button" onClick={() => act('nodraw')}>
            Withdraw
          </button>
        </div>
      )}
      <Claims game={game} claiming={claiming} onClaiming={onClaiming} claim={claim} />
      <div class="controls">
        {mayAbort(game) ? (
          <button type="button" onClick={() => act('abort')}>
            <Icon name="cross" /> Abort
          </button>
        ) : (
          <button type="button" onClick={() => setConfirming(true)}>
            <Icon name="flag" /> Resign
          </button>
        )}
        {mayOffer && (
          <button type="button" onClick={() => act('draw')}>
            <Icon name="half" /> Offer draw
          </button>
        )}
      </div>
    </>
  );
}
