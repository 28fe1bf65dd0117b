// Sentences about a game: its terms, its end, whose turn it is.
import type { Challenge } from './rest.ts';
import { other, type Color, type GameInfo, type GameState, type Person, type TimeControl } from './wire.ts';

export const LEVELS = [
  'Newcomer',
  'Novice',
  'Learner',
  'Amateur',
  'Regular',
  'Club player',
  'Strong club player',
  'Candidate',
  'Expert',
  'Master',
] as const;

const SIDE: Readonly<Record<Color, string>> = { white: 'White', black: 'Black' };

export const sideName = (color: Color): string => SIDE[color];

export function personName(person: Person): string {
  return person.level ? `Computer, level ${person.level}` : person.name;
}

function minutes(seconds: number): string {
  if (seconds % 60 === 0) return `${seconds / 60}`;
  return seconds === 90 ? '1½' : seconds === 30 ? '½' : seconds === 15 ? '¼' : seconds === 45 ? '¾' : `${seconds} s`;
}

/** `10 + 5`, `3 days a move`, `Untimed`. */
export function timeControlText(control: TimeControl): string {
  switch (control.type) {
    case 'clock':
      return `${minutes(control.initial / 1000)} + ${control.increment / 1000}`;
    case 'correspondence':
      return `${daysText(control.days)} a move`;
    case 'unlimited':
      return 'Untimed';
  }
}

export const daysText = (days: number): string => `${days} day${days === 1 ? '' : 's'}`;

/** The same for the time control of a challenge, whose seconds the public API names differently. */
export function challengeTime(challenge: Challenge): TimeControl {
  const { type, limit = 0, increment = 0, daysPerTurn = 0 } = challenge.timeControl;
  if (type === 'clock') return { type, initial: limit * 1000, increment: increment * 1000 };
  return type === 'correspondence' ? { type, days: daysPerTurn } : { type: 'unlimited' };
}

/** What the time control means, in a sentence. */
export function timeControlSentence(control: TimeControl): string {
  switch (control.type) {
    case 'clock': {
      const seconds = control.initial / 1000;
      const initial = seconds % 60 === 0 ? `${seconds / 60} minute${seconds === 60 ? '' : 's'}` : `${seconds} seconds`;
      const more = control.increment / 1000;
      return more ? `${initial} for each side, ${more} s more with each move` : `${initial} for each side`;
    }
    case 'correspondence':
      return `${daysText(control.days)} for each move`;
    case 'unlimited':
      return 'No time limit';
  }
}

export function ruleSetSentence(ruleSet: string): string {
  if (ruleSet === 'automatic') return 'Threefold repetition and fifty moves draw by themselves';
  if (ruleSet === 'claimed') return 'Threefold repetition and fifty moves may be claimed as a draw';
  return `Rule set ${ruleSet}`;
}

export interface Ending {
  /** `White wins`, `Draw`, `Game aborted`. */
  headline: string;
  /** Why, in a sentence. */
  reason: string;
  /** `1–0`, `0–1`, `½–½` or empty. */
  score: string;
}

function drawReason(state: GameState): string {
  switch (state.reason) {
    case 'stalemate':
      return `Stalemate: ${SIDE[state.turn]} has no legal move and is not in check.`;
    case 'repetition':
      return 'The same position was repeated.';
    case 'moveCount': {
      const halfMoves = Number(state.fen.split(' ')[4] ?? 0);
      return `${Math.floor(halfMoves / 2)} moves of each side without a capture or a pawn move.`;
    }
    case 'deadPosition':
      return 'Neither side has the men left to give mate.';
    case 'agreement':
      return 'The players agreed on a draw.';
    case 'flag':
      return `${SIDE[state.turn]} ran out of time, but ${SIDE[other(state.turn)]} cannot win with the men left.`;
    case 'expiry':
      return `${SIDE[state.turn]}’s time for the move passed, but ${SIDE[other(state.turn)]} cannot win with the men left.`;
    default:
      return '';
  }
}

function winReason(state: GameState, loser: Color): string {
  switch (state.reason) {
    case 'checkmate':
      return 'Checkmate.';
    case 'resignation':
      return `${SIDE[loser]} resigned.`;
    case 'flag':
      return `${SIDE[loser]} ran out of time.`;
    case 'expiry':
      return `${SIDE[loser]}’s time for the move passed.`;
    case 'stalemate':
      return `${SIDE[loser]} has no legal move.`;
    default:
      return '';
  }
}

/** How a game ended; null while it goes on. */
export function ending(state: GameState): Ending | null {
  if (state.status === 'started') return null;
  if (state.status === 'aborted') {
    const reason = state.reason === 'noFirstMove' ? `${SIDE[state.turn]} made no first move in time.` : 'It does not count.';
    return { headline: 'Game aborted', reason, score: '' };
  }
  if (!state.winner) return { headline: 'Draw', reason: drawReason(state), score: '½–½' };
  const score = state.winner === 'white' ? '1–0' : '0–1';
  return { headline: `${SIDE[state.winner]} wins`, reason: winReason(state, other(state.winner)), score };
}

const PIECES: Readonly<Record<string, string>> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** A SAN move as one would say it: `knight takes f 3, check`. */
export function spokenMove(san: string): string {
  if (san.startsWith('O-O-O')) return `castles queenside${spokenEnd(san)}`;
  if (san.startsWith('O-O')) return `castles kingside${spokenEnd(san)}`;
  const words = [...san.replace(/[+#]$/, '')].map((sign) => {
    if (sign === 'x') return 'takes';
    if (sign === '=') return 'promotes to';
    return PIECES[sign] ?? sign;
  });
  return words.join(' ') + spokenEnd(san);
}

const spokenEnd = (san: string): string => (san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '');

/** The title of the browser's tab. */
export function pageTitle(info: GameInfo, state: GameState, you: Color | null): string {
  const names = `${personName(info.white)} – ${personName(info.black)}`;
  const end = ending(state);
  if (end) return `${end.headline} · ${names}`;
  if (you === state.turn) return `Your move · ${personName(info[other(state.turn)])}`;
  return you ? `Waiting for ${personName(info[state.turn])}` : names;
}
