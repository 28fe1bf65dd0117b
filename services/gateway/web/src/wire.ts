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
  /** When the game began, where there is one. */
  rating?: number;
  provisional?: boolean;
}

export type TimeControl =
  | { type: 'clock'; initial: number; increment: number }
  | { type: 'perMove'; turn: number }
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
  rematchOf?: string;
  party?: string;
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
  | 'allTaken'
  | 'race'
  | 'absence'
  | 'abandoned'
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
  /** Who asks to take a move back. */
  takebackOffer?: Color;
  paused?: Pause;
  /** Begun rated, and counts no more. */
  unrated?: true;
  /** The level of the computer that plays for somebody who is away. */
  seats?: Record<Color, number | null>;
  /** Goes on without the clock that it began with. */
  withoutClock?: true;
  /** A hint was taken or a move undone. */
  helped?: true;
  /** How often moves were taken back. */
  takebacks?: number;
  /** The turn's limit has passed, and the opponent may take the win. */
  claimable?: true;
  /** What the end did to the ratings. */
  ratingDiff?: Record<Color, number | null>;
}

/** A flag fell, and the other side decides. */
export interface Pause {
  flagged: Color;
  since: number;
  goingOnOffered: boolean;
  /** Who wins when the other side takes what is due; null for a draw. */
  winner: Color | null;
}

export interface PlayedMove {
  uci: string;
  san: string;
  /** The mover's clock after the move; 0 or absent without a clock. */
  clock?: number | null;
  /** A computer made it for whoever has the seat. */
  byComputer?: boolean;
}

export interface GameEvent {
  t: 'event';
  game: string;
  v: number;
  kind: string;
  by: Color | null;
  state: GameState;
  byComputer?: boolean;
  /** With another level of the computer. */
  info?: GameInfo;
}

export type Room = 'player' | 'spectator';

export interface ChatLine {
  by: { id: string; name: string };
  text: string;
  at: number;
}

/** How often and how long somebody was away in a game. */
export interface Away {
  times: number;
  ms: number;
}

/** An invitation as a frame has it. */
export interface FrameChallenge {
  id: string;
  status: string;
  challenger: Person | null;
  rematchOf?: string | null;
  counterTo?: string | null;
}

/** The signed-in player's own affairs. */
export interface PlayerFrame {
  t: 'player';
  kind: string;
  seq?: number;
  game?: { id: string; info?: GameInfo };
  challenge?: FrameChallenge;
  party?: Party;
}

export interface PartySettings {
  /** Seconds for each turn; 0 for none. */
  turnLimit: number;
  legalMarks: boolean;
  swapColors: boolean;
  variant: string;
  ruleSet: string;
  rules?: ShownRules;
}

export interface Party {
  id: string;
  v: number;
  host: string;
  settings: PartySettings;
  members: (Person & { spectator: boolean; joinedAt: number })[];
  next: string[];
  game: string | null;
  closed: boolean;
}

export type CompanyFrame =
  | { t: 'chat'; game: string; room: Room; by: { id: string; name: string }; text: string; at: number }
  | { t: 'hint'; game: string; ply: number; uci: string; san: string }
  | { t: 'presence'; game: string; side: Color; gone: boolean; away?: number; claimIn?: number }
  | { t: 'absences'; game: string; white: Away; black: Away };

export type ServerFrame =
  | { t: 'welcome'; player: Person | null; now: number; protocol: number }
  | { t: 'full'; game: string; v: number; info: GameInfo; state: GameState; moves: PlayedMove[]; you: Color | null }
  | { t: 'events'; game: string; events: Omit<GameEvent, 't' | 'game'>[] }
  | GameEvent
  /** Of a line of chat only `id` and `game`. */
  | { t: 'ack'; id: string; game: string; v?: number; state?: GameState; repeated?: boolean }
  | { t: 'nack'; id: string; game: string; code: string; message: string }
  | PlayerFrame
  | CompanyFrame
  | { t: 'gone'; game: string; code: string; message: string }
  | { t: 'error'; code: string; message: string; at?: string; id?: string }
  | { t: 'p'; n?: number; now: number };

export type Command =
  | { t: 'move'; game: string; id: string; move: string; ply: number }
  | { t: 'claim'; game: string; id: string; move?: string }
  | { t: 'win'; game: string; id: string; draw?: boolean }
  | { t: 'givetime'; game: string; id: string; seconds: number }
  | { t: 'level'; game: string; id: string; level: number }
  | { t: Act; game: string; id: string };

/** Commands that say all by their name. */
export type Act =
  | 'resign'
  | 'abort'
  | 'draw'
  | 'nodraw'
  | 'takeback'
  | 'notakeback'
  | 'undo'
  | 'goon'
  | 'hint'
  | 'seat';

export type ClientFrame =
  | Command
  | { t: 'chat'; game: string; id: string; text: string; room: Room }
  | { t: 'sub'; game: string; v: number } | { t: 'p'; n: number };

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
