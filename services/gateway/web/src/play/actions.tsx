// Against the computer: undo, hint, its level. Between people: a move back by consent, time as a gift.
import type { VNode } from 'preact';
import { other } from '../chess/color.ts';
import type { Act } from '../net/wire.ts';
import { Icon } from '../ui/icon.tsx';
import { LEVELS, personName } from '../words/wording.ts';
import { levelOf, mayAskTakeback, mayChangeLevel, mayGiveTime, mayHint, mayUndo, type Game } from './game.ts';

/** Given with one click. */
export const GIFT_SECONDS = 15;

interface ActionsProps {
  game: Game;
  act(kind: Act): void;
  giveTime(seconds: number): void;
}

/** The row of what may be asked or taken besides the usual. */
export function Actions({ game, act, giveTime }: ActionsProps): VNode | null {
  const undo = mayUndo(game);
  const hint = mayHint(game);
  const takeback = mayAskTakeback(game);
  const gift = mayGiveTime(game) && game.state.ply >= 2;
  if (!undo && !hint && !takeback && !gift) return null;
  return (
    <div class="controls" role="group" aria-label="Help">
      {undo && (
        <button type="button" onClick={() => act('undo')}>
          <Icon name="undo" /> Undo
        </button>
      )}
      {hint && (
        <button type="button" onClick={() => act('hint')}>
          <Icon name="hint" /> Hint
        </button>
      )}
      {takeback && (
        <button type="button" onClick={() => act('takeback')}>
          <Icon name="undo" /> Ask for a takeback
        </button>
      )}
      {gift && (
        <button type="button" aria-label={`Give ${GIFT_SECONDS} seconds to the opponent`} onClick={() => giveTime(GIFT_SECONDS)}>
          +{GIFT_SECONDS} s for them
        </button>
      )}
    </div>
  );
}

/** Somebody asks to take a move back. */
export function TakebackOffer({ game, act }: Pick<ActionsProps, 'game' | 'act'>): VNode | null {
  const { state, you, info } = game;
  if (!you || !state.takebackOffer || state.status !== 'started') return null;
  if (state.takebackOffer === you) {
    return (
      <div class="offer" role="group" aria-label="Your takeback">
        <span>You ask to take your move back.</span>
        <button type="button" onClick={() => act('notakeback')}>
          Withdraw
        </button>
      </div>
    );
  }
  return (
    <div class="offer" role="group" aria-label="Takeback">
      <span>{personName(info[other(you)])} asks to take a move back.</span>
      <button type="button" class="primary" onClick={() => act('takeback')}>
        Allow
      </button>
      <button type="button" onClick={() => act('notakeback')}>
        Decline
      </button>
    </div>
  );
}

/** Another level, until the own first move. */
export function LevelChoice({ game, setLevel }: { game: Game; setLevel(level: number): void }): VNode | null {
  if (!mayChangeLevel(game)) return null;
  return (
    <label class="field inline">
      <span>Level of the computer</span>
      <select value={levelOf(game)} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
        {LEVELS.map((name, index) => (
          <option key={name} value={index + 1}>
            {index + 1} · {name}
          </option>
        ))}
      </select>
    </label>
  );
}
