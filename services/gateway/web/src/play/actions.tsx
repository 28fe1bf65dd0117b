// Against the computer: undo, hint, its level. Between people: a move back by consent, time as a gift.
import type { VNode } from 'preact';
import { other } from '../chess/color.ts';
import type { Act } from '../net/wire.ts';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { LEVELS, levelText, personName } from '../words/wording.ts';
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
    <div class="controls" role="group" aria-label={say('play.help')}>
      {undo && (
        <button type="button" onClick={() => act('undo')}>
          <Icon name="undo" /> {say('play.undo')}
        </button>
      )}
      {hint && (
        <button type="button" onClick={() => act('hint')}>
          <Icon name="hint" /> {say('play.hint')}
        </button>
      )}
      {takeback && (
        <button type="button" onClick={() => act('takeback')}>
          <Icon name="undo" /> {say('play.askTakeback')}
        </button>
      )}
      {gift && (
        <button type="button" aria-label={say('play.giveTime', { seconds: GIFT_SECONDS })} onClick={() => giveTime(GIFT_SECONDS)}>
          {say('play.giveTimeShort', { seconds: GIFT_SECONDS })}
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
      <div class="offer" role="group" aria-label={say('play.yourTakeback')}>
        <span>{say('play.youAskTakeback')}</span>
        <button type="button" onClick={() => act('notakeback')}>
          {say('play.withdraw')}
        </button>
      </div>
    );
  }
  return (
    <div class="offer" role="group" aria-label={say('play.takeback')}>
      <span>{say('play.asksTakeback', { name: personName(info[other(you)]) })}</span>
      <button type="button" class="primary" onClick={() => act('takeback')}>
        {say('play.allow')}
      </button>
      <button type="button" onClick={() => act('notakeback')}>
        {say('play.decline')}
      </button>
    </div>
  );
}

/** Another level, until the own first move. */
export function LevelChoice({ game, setLevel }: { game: Game; setLevel(level: number): void }): VNode | null {
  if (!mayChangeLevel(game)) return null;
  return (
    <label class="field inline">
      <span>{say('play.computerLevel')}</span>
      <select value={levelOf(game)} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
        {LEVELS.map((level) => (
          <option key={level} value={level}>
            {levelText(level)}
          </option>
        ))}
      </select>
    </label>
  );
}
