// What belongs to a game without being in its state: a hint, absences, the chat. A value; each frame gives the next one.
import type { Color } from '../chess/color.ts';
import type { Away, ChatLine, CompanyFrame, Room } from '../net/wire.ts';

/** As many lines of a room are kept. */
export const LINES_MAX = 200;

export interface Company {
  hint: { ply: number; uci: string; san: string } | null;
  /** The opponent has left; times by this page's own clock. */
  gone: { side: Color; since: number; claimAt: number | null } | null;
  /** How often and how long each was away, told at the end. */
  absences: Record<Color, Away> | null;
  chat: Readonly<Record<Room, readonly ChatLine[]>>;
}

export const ALONE: Company = { hint: null, gone: null, absences: null, chat: { player: [], spectator: [] } };

/** The company after a frame that came at `now` (this page's clock). */
export function afterFrame(company: Company, frame: CompanyFrame, now: number): Company {
  switch (frame.t) {
    case 'hint':
      return { ...company, hint: { ply: frame.ply, uci: frame.uci, san: frame.san } };
    case 'presence': {
      if (!frame.gone) return { ...company, gone: null };
      const claimAt = frame.claimIn === undefined ? null : now + frame.claimIn;
      return { ...company, gone: { side: frame.side, since: now - (frame.away ?? 0), claimAt } };
    }
    case 'absences':
      return { ...company, gone: null, absences: { white: frame.white, black: frame.black } };
    case 'chat':
      return withLines(company, frame.room, [{ by: frame.by, text: frame.text, at: frame.at }]);
  }
}

/** With lines of a room, known ones left out, in order of time. */
export function withLines(company: Company, room: Room, lines: readonly ChatLine[]): Company {
  const known = company.chat[room];
  const isNew = (line: ChatLine): boolean =>
    !known.some((old) => old.at === line.at && old.by.id === line.by.id && old.text === line.text);
  const all = [...known, ...lines.filter(isNew)].sort((a, b) => a.at - b.at).slice(-LINES_MAX);
  return { ...company, chat: { ...company.chat, [room]: all } };
}
