// A flag fell, and the player with time left decides.
import type { VNode } from 'preact';
import { other } from '../chess/color.ts';
import type { ServerTime } from '../net/server_time.ts';
import type { Act } from '../net/wire.ts';
import { say } from '../words/say.ts';
import { personName, sideName } from '../words/wording.ts';
import { useServerNow } from './clock_face.tsx';
import type { Game } from './game.ts';

interface PausePanelProps {
  game: Game;
  time: ServerTime;
  act(kind: Act): void;
  win(): void;
}

export function PausePanel({ game, time, act, win }: PausePanelProps): VNode | null {
  const { state, you, info } = game;
  const { paused, deadline } = state;
  const now = useServerNow(time, Boolean(paused) && deadline !== null);
  if (!paused || state.status !== 'started') return null;
  const decider = other(paused.flagged);
  const due = paused.winner ? 'win' : 'draw';
  const left = deadline === null ? null : Math.max(0, Math.ceil((deadline - now) / 1000));
  return (
    <div class="offer" role="group" aria-label={say('play.fallenFlag')} data-testid="pause">
      <span>
        <strong>{you === paused.flagged ? say('play.yourTimeIsUp') : say('play.timeIsUp', { side: paused.flagged })}</strong>{' '}
        {you === decider
          ? say('play.youMayTake', { due })
          : paused.goingOnOffered && you
            ? say('play.offersToGoOn', { name: personName(info[decider]) })
            : say('play.mayTake', { name: you ? personName(info[decider]) : sideName(decider), due })}
        {left !== null && ` ${say('play.otherwiseTaken', { due, seconds: left })}`}
      </span>
      {you === decider && (
        <>
          <button type="button" class="primary" onClick={win}>
            {say(paused.winner ? 'play.takeTheWin' : 'play.takeTheDraw')}
          </button>
          {paused.goingOnOffered ? (
            <span role="status">{say('play.offeredToGoOn')}</span>
          ) : (
            <button type="button" onClick={() => act('goon')}>
              {say('play.goOn')}
            </button>
          )}
        </>
      )}
      {you === paused.flagged && paused.goingOnOffered && (
        <button type="button" class="primary" onClick={() => act('goon')}>
          {say('play.goOn')}
        </button>
      )}
    </div>
  );
}
