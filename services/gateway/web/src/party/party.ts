// A party as this page knows it: newer replaces older, and what may be done follows from it.
import type { Party } from '../net/wire.ts';
import { say } from '../words/say.ts';

/** Of two states of a party the newer one; the end of a game changes `game` without a new version. */
export const newer = (known: Party | null, heard: Party): Party => (known && heard.v < known.v ? known : heard);

export const isMember = (party: Party, playerId: string | undefined): boolean =>
  party.members.some((member) => member.id === playerId);

export const isHost = (party: Party, playerId: string | undefined): boolean => party.host === playerId;

/** Whether `playerId` may begin the next game: the host, and the two who are next. */
export const mayStart = (party: Party, playerId: string | undefined): boolean =>
  playerId !== undefined &&
  !party.closed &&
  party.game === null &&
  party.next.length === 2 &&
  (isHost(party, playerId) || party.next.includes(playerId));

export const turnText = (seconds: number): string =>
  seconds ? say('party.turnSeconds', { seconds }) : say('party.noTurnLimit');
