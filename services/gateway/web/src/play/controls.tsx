// What a player may do besides moving. Resigning asks again.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { other } from '../chess/color.ts';
import type { Act } from '../net/wire.ts';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
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
        aria-label={say('play.resignGroup')}
        onKeyDown={(event) => event.key === 'Escape' && setConfirming(false)}
      >
        <span>{say('play.reallyResign')}</span>
        <button
          type="button"
          class="danger"
          ref={(button) => button?.focus()}
          onClick={() => {
            setConfirming(false);
            act('resign');
          }}
        >
          {say('play.yesResign')}
        </button>
        <button type="button" onClick={() => setConfirming(false)}>
          {say('play.no')}
        </button>
      </div>
    );
  }

  return (
    <>
      {state.drawOffer === other(you) && (
        <div class="offer" role="group" aria-label={say('play.drawOffer')}>
          <span>{say('play.offersDraw', { name: personName(opponent) })}</span>
          <button type="button" class="primary" onClick={() => act('draw')}>
            {say('play.accept')}
          </button>
          <button type="button" onClick={() => act('nodraw')}>
            {say('play.decline')}
          </button>
        </div>
      )}
      {state.drawOffer === you && (
        <div class="offer" role="group" aria-label={say('play.yourDrawOffer')}>
          <span>{say('play.youOfferDraw')}</span>
          <button type="button" onClick={() => act('nodraw')}>
            {say('play.withdraw')}
          </button>
        </div>
      )}
      <Claims game={game} claiming={claiming} onClaiming={onClaiming} claim={claim} />
      <div class="controls">
        {mayAbort(game) ? (
          <button type="button" onClick={() => act('abort')}>
            <Icon name="cross" /> {say('play.abort')}
          </button>
        ) : (
          <button type="button" onClick={() => setConfirming(true)}>
            <Icon name="flag" /> {say('play.resign')}
          </button>
        )}
        {mayOffer && (
          <button type="button" onClick={() => act('draw')}>
            <Icon name="half" /> {say('play.offerDraw')}
          </button>
        )}
      </div>
    </>
  );
}
