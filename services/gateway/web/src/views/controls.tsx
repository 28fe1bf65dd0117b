// What a player may do besides moving. Resigning asks again.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { mayAbort, type Game } from '../game.ts';
import { other } from '../wire.ts';
import { personName } from '../wording.ts';
import { Icon } from './icon.tsx';

interface ControlsProps {
  game: Game;
  act(kind: 'resign' | 'abort' | 'draw' | 'nodraw'): void;
}

export function Controls({ game, act }: ControlsProps): VNode | null {
  const [confirming, setConfirming] = useState(false);
  const { state, you, info } = game;
  if (!you || state.status !== 'started') return null;
  const opponent = info[other(you)];

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
      {state.claims.length > 0 && (
        <div class="offer" role="group" aria-label="Draw claim">
          <span>{state.claims.includes('threefold') ? 'Threefold repetition.' : 'Fifty moves passed.'}</span>
          <button type="button" class="primary" onClick={() => act('draw')}>
            Claim draw
          </button>
        </div>
      )}
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
        {state.ply >= 2 && !state.drawOffer && state.claims.length === 0 && !opponent.level && (
          <button type="button" onClick={() => act('draw')}>
            <Icon name="half" /> Offer draw
          </button>
        )}
      </div>
    </>
  );
}
