// A flag fell, and the player with time left decides.
import type { VNode } from 'preact';
import { other } from '../chess/color.ts';
import type { ServerTime } from '../net/server_time.ts';
import type { Act } from '../net/wire.ts';
import { dueText, personName, sideName } from '../words/wording.ts';
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
  const due = paused.winner ? 'the win' : 'the draw';
  const left = deadline === null ? null : Math.max(0, Math.ceil((deadline - now) / 1000));
  return (
    <div class="offer" role="group" aria-label="Fallen flag" data-testid="pause">
      <span>
        <strong>{you === paused.flagged ? 'Your time is up.' : `${sideName(paused.flagged)}’s time is up.`}</strong>{' '}
        {you === decider
          ? `You may take ${due}, or go on without a clock.`
          : paused.goingOnOffered && you
            ? `${personName(info[decider])} offers to go on without a clock.`
            : `${you ? personName(info[decider]) : sideName(decider)} may take ${due}, or offer to go on without a clock.`}
        {left !== null && ` Otherwise ${due} is taken in ${left} s.`}
      </span>
      {you === decider && (
        <>
          <button type="button" class="primary" onClick={win}>
            {dueText(paused.winner)}
          </button>
          {paused.goingOnOffered ? (
            <span role="status">You have offered to go on.</span>
          ) : (
            <button type="button" onClick={() => act('goon')}>
              Go on without a clock
            </button>
          )}
        </>
      )}
      {you === paused.flagged && paused.goingOnOffered && (
        <button type="button" class="primary" onClick={() => act('goon')}>
          Go on without a clock
        </button>
      )}
    </div>
  );
}
