// The frames of docs/protocol.md by the names that the page has for them. Times are whole milliseconds.
import type { ChatFrame, ClientFrame, GameInfo, Line, Seated, ServerFrame } from './wire.gen.ts';

export type {
  Away,
  ClientFrame,
  Clocks,
  EndReason,
  GameEvent,
  GameInfo,
  GameState,
  GameSummary,
  Party,
  PartySettings,
  Pause,
  PlayedMove,
  PlayerFrame,
  ServerFrame,
} from './wire.gen.ts';

export type TimeControl = GameInfo['timeControl'];
export type Room = ChatFrame['room'];
export type ChatLine = Pick<Line, 'by' | 'text' | 'at'>;

/** A person as frames and answers to requests have one: the latter leave out more, or say null. */
export type Person = Pick<Seated, 'id' | 'name'> & { [F in 'title' | 'guest' | 'level' | 'rating' | 'provisional']?: Seated[F] | null };

export type CompanyFrame = Extract<ServerFrame, { t: 'chat' | 'hint' | 'presence' | 'absences' }>;

export type Command = Exclude<ClientFrame, { t: 'auth' | 'sub' | 'unsub' | 'chat' | 'p' }>;

/** Commands that say all by their name. */
export type Act = Exclude<Command['t'], 'move' | 'claim' | 'win' | 'givetime' | 'level'>;

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

/** Whether the game came out of a file: its rule set, and perhaps its time, is then only what the server filled in. */
export const isImported = (info: GameInfo): boolean => info.source === 'import';
