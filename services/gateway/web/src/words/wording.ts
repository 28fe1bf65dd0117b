// Sentences about a game: its terms, its end, whose turn it is.
import { other, type Color } from '../chess/color.ts';
import { CHECKS_TO_WIN } from '../chess/position.ts';
import { VARIANT_TRAITS, type Variant } from '../chess/variants.ts';
import { isImported, type GameInfo, type GameState, type Person, type TimeControl } from '../net/wire.ts';

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
    case 'perMove':
      return `${control.turn / 1000} s a move`;
    case 'correspondence':
      return `${daysText(control.days)} a move`;
    case 'unlimited':
      return 'Untimed';
  }
}

/** Whether the game is played by people who are there at the same time. */
export const isLive = (control: TimeControl): boolean => control.type === 'clock' || control.type === 'perMove';

/** `1512`, `1500?` while it is provisional; empty without one. */
export const ratingText = (person: Person): string =>
  person.rating ? `${person.rating}${person.provisional ? '?' : ''}` : '';

/** A difference with its sign: `+8`, `−3`, `±0`. */
export const signed = (n: number): string => (n === 0 ? '±0' : n > 0 ? `+${n}` : `−${-n}`);

const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** `twice, 40 s altogether`: how somebody was away. */
export function awayText({ times, ms }: { times: number; ms: number }): string {
  const seconds = Math.round(ms / 1000);
  const span = seconds < 120 ? `${seconds} s` : counted(Math.round(seconds / 60), 'minute');
  return `${times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`}, ${span}${times === 1 ? '' : ' altogether'}`;
}

/** What a player with time left may do about a fallen flag. */
export const dueText = (winner: Color | null): string => (winner ? 'Take the win' : 'Take the draw');

/** What a game is played on besides variant and rule set. Of an imported game the page tells neither. */
export function termTexts(info: GameInfo): string[] {
  return isImported(info) ? ['Imported'] : [timeControlText(info.timeControl), info.rated ? 'rated' : 'unrated'];
}

/** The link to a game's moves as a file. */
export const PGN_LINK = 'PGN';

export const daysText = (days: number): string => `${days} day${days === 1 ? '' : 's'}`;

/** What the time control means, in a sentence. */
export function timeControlSentence(control: TimeControl): string {
  switch (control.type) {
    case 'clock': {
      const seconds = control.initial / 1000;
      const initial = seconds % 60 === 0 ? `${seconds / 60} minute${seconds === 60 ? '' : 's'}` : `${seconds} seconds`;
      const more = control.increment / 1000;
      return more ? `${initial} for each side, ${more} s more with each move` : `${initial} for each side`;
    }
    case 'perMove':
      return `${control.turn / 1000} seconds for each move`;
    case 'correspondence':
      return `${daysText(control.days)} for each move`;
    case 'unlimited':
      return 'No time limit';
  }
}

export interface Ending {
  /** `White wins`, `Draw`, `Game aborted`. */
  headline: string;
  /** Why, in a sentence. */
  reason: string;
  /** `1–0`, `0–1`, `½–½` or empty. */
  score: string;
}

const cannotWin = (color: Color): string => `but ${SIDE[color]} could not win any more.`;

function drawReason(state: GameState): string {
  const [turn, opponent] = [state.turn, other(state.turn)];
  switch (state.reason) {
    case 'stalemate':
      return `Stalemate: ${SIDE[turn]} has no legal move and is not in check.`;
    case 'repetition':
      return 'The same position was repeated.';
    case 'moveCount': {
      const halfMoves = halfMovesOf(state.fen);
      return `${Math.floor(halfMoves / 2)} moves of each side without a capture or a pawn move.`;
    }
    case 'deadPosition':
      return 'Neither side can win any more.';
    case 'race':
      return 'Both kings have arrived.';
    case 'agreement':
      return 'The players agreed on a draw.';
    case 'flag':
      return `${SIDE[turn]} ran out of time, ${cannotWin(opponent)}`;
    case 'expiry':
      return `${SIDE[turn]}’s time for the move passed, ${cannotWin(opponent)}`;
    case 'resignation':
      return 'One side resigned, but the other could not win any more.';
    case 'absence':
      return 'A player had left, and the other took a draw.';
    case 'bareKing':
      return 'Both sides have nothing left but the king.';
    case 'unknown':
      return 'The file does not say why.';
    default:
      return '';
  }
}

/** Half-moves without a capture or a pawn move: the last field of a FEN but one, check counters left out. */
export function halfMovesOf(fen: string): number {
  const fields = fen.split(' ').slice(4).filter((field) => !field.includes('+'));
  return Number(fields[0] ?? 0);
}

function winReason(state: GameState, winner: Color): string {
  const loser = other(winner);
  switch (state.reason) {
    case 'checkmate':
      return 'Checkmate.';
    case 'resignation':
      return `${SIDE[loser]} resigned.`;
    case 'flag':
      return `${SIDE[loser]} ran out of time.`;
    case 'expiry':
      return `${SIDE[loser]}’s time for the move passed.`;
    case 'absence':
      return `${SIDE[loser]} had left the game.`;
    case 'stalemate':
      return `${SIDE[state.turn]} has no legal move, and that ${winner === state.turn ? 'wins' : 'loses'} here.`;
    case 'bareKing':
      return `${SIDE[loser]} has nothing left but the king.`;
    case 'thirdCheck':
      return `${SIDE[winner]} gave the third check.`;
    case 'hill':
      return `${SIDE[winner]}’s king stands on the hill.`;
    case 'explosion':
      return `${SIDE[loser]}’s king was blown up.`;
    case 'allTaken':
      return `${SIDE[state.turn]} has no pieces left, and that ${winner === state.turn ? 'wins' : 'loses'} here.`;
    case 'race':
      return `${SIDE[winner]}’s king won the race.`;
    case 'unknown':
      return 'The file does not say why.';
    default:
      return '';
  }
}

/** How a game ended; null while it goes on. */
export function ending(state: GameState): Ending | null {
  if (state.status === 'started') return null;
  if (state.status === 'aborted') {
    const reason =
      state.reason === 'noFirstMove'
        ? `${SIDE[state.turn]} made no first move in time.`
        : state.reason === 'abandoned'
          ? 'Both players had left.'
          : 'It does not count.';
    return { headline: 'Game aborted', reason, score: '' };
  }
  if (!state.winner) return { headline: 'Draw', reason: drawReason(state), score: '½–½' };
  const score = state.winner === 'white' ? '1–0' : '0–1';
  return { headline: `${SIDE[state.winner]} wins`, reason: winReason(state, state.winner), score };
}

const MEN: Readonly<Record<string, string>> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};
const OLD_MEN: Readonly<Record<string, string>> = { ...MEN, q: 'firz', b: 'elephant' };
const INDIAN_MEN: Readonly<Record<string, string>> = { ...OLD_MEN, q: 'counsellor' };

/** What a man is called, by its letter of FEN and SAN in either case. */
export function manName(letter: string, variant: Variant): string {
  const names = variant === 'chaturanga' ? INDIAN_MEN : VARIANT_TRAITS[variant].oldMen ? OLD_MEN : MEN;
  return names[letter.toLowerCase()] ?? letter;
}

/** Men and how many, as a list is read: `2 pawns, knight`. */
export function menText(men: Iterable<readonly [letter: string, count: number]>, variant: Variant): string {
  return [...men]
    .map(([letter, count]) => (count === 1 ? manName(letter, variant) : `${count} ${manName(letter, variant)}s`))
    .join(', ');
}

export const checksText = (given: number): string => `${given} of ${CHECKS_TO_WIN} checks given`;

/** A SAN move as one would say it: `knight takes f 3, check`. */
export function spokenMove(san: string, variant: Variant = 'standard'): string {
  const end = spokenEnd(san, variant);
  if (san.startsWith('O-O-O')) return `castles queenside${end}`;
  if (san.startsWith('O-O')) return `castles kingside${end}`;
  const words = [...san.replace(/[+#]$/, '')].map((sign) => {
    if (sign === 'x') return 'takes';
    if (sign === '=') return 'promotes to';
    if (sign === '@') return 'dropped on';
    return /[KQRBNP]/.test(sign) ? manName(sign, variant) : sign;
  });
  return words.join(' ') + end;
}

/** In some variants `#` marks other wins than mate, too. */
function spokenEnd(san: string, variant: Variant): string {
  if (san.endsWith('+')) return ', check';
  if (!san.endsWith('#')) return '';
  return VARIANT_TRAITS[variant].matesOnly ? ', checkmate' : ', and wins';
}

/** The title of the browser's tab. */
export function pageTitle(info: GameInfo, state: GameState, you: Color | null): string {
  const names = `${personName(info.white)} – ${personName(info.black)}`;
  const end = ending(state);
  if (end) return `${end.headline} · ${names}`;
  if (state.paused) return `Paused · ${names}`;
  if (you === state.turn) return `Your move · ${personName(info[other(state.turn)])}`;
  return you ? `Waiting for ${personName(info[state.turn])}` : names;
}
