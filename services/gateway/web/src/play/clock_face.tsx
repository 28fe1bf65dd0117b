// A clock that ticks by itself between the states that the server sends.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Color } from '../chess/color.ts';
import type { ServerTime } from '../net/server_time.ts';
import type { GameState, TimeControl } from '../net/wire.ts';
import { say } from '../words/say.ts';
import { daysText } from '../words/wording.ts';
import { clockText, remaining, spanText, spokenText, TENTHS_BELOW_MS } from './clock.ts';

const TICK_MS = 100;

interface ClockFaceProps {
  state: GameState;
  color: Color;
  control: TimeControl;
  time: ServerTime;
  /** Server time at which this clock is to be shown stopped: a move was made that the server has not decided yet. */
  stoppedAt: number | null;
}

/** The server's time now, moving on while `ticking`. */
export function useServerNow(time: ServerTime, ticking: boolean): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => tick((n) => n + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return time.at(Date.now());
}

export function ClockFace({ state, color, control, time, stoppedAt }: ClockFaceProps): VNode | null {
  const running = state.status === 'started' && state.clock?.running === color;
  const now = useServerNow(time, running && stoppedAt === null);
  if (!state.clock || control.type === 'unlimited') return null;

  const left = remaining(state, color, stoppedAt ?? now);
  const active = running || (state.status === 'started' && state.turn === color);
  if (control.type === 'correspondence') {
    const shown = running ? spanText(left) : daysText(control.days);
    return (
      <div class={`clock days ${active ? 'active' : ''}`} data-testid={`clock-${color}`}>
        {shown}
      </div>
    );
  }
  const low = left < TENTHS_BELOW_MS && state.status === 'started';
  return (
    <div
      class={`clock ${active ? 'active' : ''} ${low ? 'low' : ''}`}
      role="timer"
      aria-label={say('play.clock', { side: color, span: spokenText(left) })}
      data-testid={`clock-${color}`}
    >
      {clockText(left)}
    </div>
  );
}
