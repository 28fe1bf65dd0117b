// A live game is aborted when a first move never comes: how long there is for it.
import type { VNode } from 'preact';
import type { ServerTime } from '../net/server_time.ts';
import type { Part } from '../words/keys.gen.ts';
import { sayRich } from '../words/say.ts';
import { isLive } from '../words/wording.ts';
import { useServerNow } from './clock_face.tsx';
import type { Game } from './game.ts';

const strong = (parts: readonly Part[]): VNode => <strong>{parts}</strong>;

export function FirstMoveNotice({ game, time }: { game: Game; time: ServerTime }): VNode | null {
  const { state, you, info } = game;
  const waits =
    state.status === 'started' && state.ply < 2 && state.deadline !== null && isLive(info.timeControl);
  const now = useServerNow(time, waits);
  if (!waits || state.deadline === null) return null;
  const seconds = Math.max(0, Math.ceil((state.deadline - now) / 1000));
  return (
    <p class="card first-move" role="timer" data-testid="first-move">
      {you !== state.turn
        ? sayRich('play.firstMoveDue', { side: state.turn, seconds, strong })
        : sayRich(state.ply === 0 ? 'play.yourFirstMoveStarts' : 'play.yourFirstMoveDue', { seconds, strong })}
    </p>
  );
}
