// The socket of pages that are no game: it says that the player is here, and hears of the player's own affairs.
import { Socket, type Link } from './socket.ts';
import type { PlayerFrame } from './wire.ts';

export interface PlayerLinkEvents {
  affair(frame: PlayerFrame): void;
  /** Every affair comes from now on: what is shown is loaded again, since some may have been missed before. */
  following(): void;
}

export function socketAddress(): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/api/flagfall/ws`;
}

/** Connect; the answer restarts the connection (as another player) or ends it. */
export function playerLink(events: PlayerLinkEvents): { restart(): void; stop(): void } {
  const socket = new Socket(socketAddress(), {
    frame: (frame) => {
      if (frame.t === 'player') events.affair(frame);
      if (frame.t === 'following') events.following();
    },
    link: (_: Link) => undefined,
    refused: () => undefined,
  });
  const seen = (): void => {
    if (document.visibilityState === 'visible') socket.hurry();
  };
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', seen);
  socket.connect();
  return {
    restart: () => socket.restart(),
    stop: () => {
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('online', seen);
      socket.stop();
    },
  };
}
