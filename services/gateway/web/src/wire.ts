// The frames of docs/protocol.md, as the page uses them. Times are whole milliseconds.
import type { ShownRules } from './rule_sets.ts';

export type Color = 'white' | 'black';

export interface Person {
  id: string;
  name: string;
  title?: string | null;
  guest?: boolean;
  /** 1-10 for the computer, absent or 0 for people. */
  level?: number | null;
}

export type TimeControl =
  | { type: 'clock'; initial: number; increment: number }
  | { type: 'correspondence'; days: number }
  | { type: 'unlimited' };

export interface GameInfo {
  id: string;
  variant: string;
  ruleSet: string;
  /** All fields, where no preset's name tells them. */
  rules?: ShownRules | null;
  timeControl: TimeControl;
  white: Person;
  black: Person;
  rated: boolean;
  source: string;
  initialFen: string | null;
  createdAt: number;
}

export type EndReason =
  | 'checkmate'
  | 'resignation'
  | 'stalemate'
  | 'repetition'
  | 'moveCount'
  | 'deadPosition'
  | 'agreement'
  | 'flag'
  | 'expiry'
  | 'abort'
  | 'noFirstMove'
  | 'bareKing'
  | 'thirdCheck'
  | 'hill'
  | 'explosion'
  | 'unknown';

export interface Clocks {
  white: number;
  black: number;
  /** Whose clock is running. */
  running: Color | null;
}

export interface GameState {
  status: 'started' | 'ended' | 'aborted';
  winner: Color | null;
  reason: EndReason | null;
  ply: number;
  fen: string;
  turn: Color;
  check: boolean;
  lastMove: { uci: string; san: string } | null;
  clock: Clocks | null;
  /** Server time of these clocks. */
  at: number;
  /** Server time at which the deadline decides. */
  deadline: number | null;
  drawOffer: Color | null;
  claims: ('threefold' | 'fifty')[];
  /** Legal moves in UCI; absent from a state that was already overtaken when it was sent. */
  legal?: string[];
}

export interface PlayedMove {
  uci: string;
  san: string;
  /** The mover's clock after the move; 0 or absent without a clock. */
  clock?: number | null;
}

export interface GameEvent {
  t: 'event';
  game: string;
  v: number;
  kind: 'created' | 'move' | 'drawOffered' | 'drawClosed' | 'ended';
  by: Color | null;
  state: GameState;
}

export type ServerFrame =
  | { t: 'welcome'; player: Person | null; now: number; protocol: number }
  | { t: 'full'; game: string; v: number; info: GameInfo; state: GameState; moves: PlayedMove[]; you: Color | null }
  | { t: 'events'; game: string; events: Omit<GameEvent, 't' | 'game'>[] }
  | GameEvent
  | { t: 'ack'; id: string; game: string; v: number; state: GameState; repeated?: boolean }
  | { t: 'nack'; id: string; game: string; code: string; message: string }
  | { t: 'player'; kind: string; game?: { id?: string; gameId?: string }; challenge?: { id?: string } }
  | { t: 'gone'; game: string; code: string; message: string }
  | { t: 'error'; code: string; message: string; at?: string; id?: string }
  | { t: 'p'; n?: number; now: number };

export type Command =
  | { t: 'move'; game: string; id: string; move: string; ply: number }
  | { t: 'claim'; game: string; id: string; move?: string }
  | { t: 'resign' | 'abort' | 'draw' | 'nodraw'; game: string; id: string };

export type ClientFrame = Command | { t: 'sub'; game: string; v: number } | { t: 'p'; n: number };

/** A frame as it came from the socket, or null when it is none that this page knows how to read. */
export function readFrame(text: string): ServerFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || typeof (value as { t?: unknown }).t !== 'string') return null;
  return value as ServerFrame;
}

export const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');
