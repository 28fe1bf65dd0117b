// Sentences about a game: its terms, its end, whose turn it is.
import { other, type Color } from '../chess/color.ts';
import { CHECKS_TO_WIN, ROLES } from '../chess/position.ts';
import { VARIANT_TRAITS, type Variant } from '../chess/variants.ts';
import { isImported, type Away, type GameInfo, type GameState, type Person, type TimeControl } from '../net/wire.ts';
import { listText } from './language.ts';
import { say } from './say.ts';

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

export const levelName = (level: number): string => say(`levels.level${level as (typeof LEVELS)[number]}`);

/** `3 · Learner`. */
export const levelText = (level: number): string => say('levels.numbered', { level, name: levelName(level) });

export const sideName = (color: Color): string => say(`sides.${color}`);

export function personName(person: Person): string {
  return person.level ? say('game.computer', { level: person.level }) : person.name;
}

/** `Anna – Computer, level 3`. */
export const playersText = (info: GameInfo): string =>
  say('game.players', { white: personName(info.white), black: personName(info.black) });

function minutes(seconds: number): string {
  if (seconds % 60 === 0) return `${seconds / 60}`;
  if (seconds === 90) return '1½';
  return seconds === 30 ? '½' : seconds === 15 ? '¼' : seconds === 45 ? '¾' : say('time.shortSeconds', { seconds });
}

const SPEEDS = ['ultraBullet', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'] as const;

/** What a speed of the public API is called; one that this page does not know keeps its key. */
export function speedName(key: string): string {
  const speed = SPEEDS.find((known) => known === key);
  return speed ? say(`speeds.${speed}`) : key;
}

/** `10 + 5`, `3 days a move`, `Untimed`. */
export function timeControlText(control: TimeControl): string {
  switch (control.type) {
    case 'clock':
      return `${minutes(control.initial / 1000)} + ${control.increment / 1000}`;
    case 'perMove':
      return say('time.secondsPerMove', { seconds: control.turn / 1000 });
    case 'correspondence':
      return say('time.daysPerMove', { days: control.days });
    case 'unlimited':
      return say('time.untimed');
  }
}

/** Whether the game is played by people who are there at the same time. */
export const isLive = (control: TimeControl): boolean => control.type === 'clock' || control.type === 'perMove';

/** `1512`, `1500?` while it is provisional; empty without one. */
export const ratingText = (person: Person): string =>
  person.rating ? `${person.rating}${person.provisional ? '?' : ''}` : '';

/** A difference with its sign: `+8`, `−3`, `±0`. */
export const signed = (n: number): string => (n === 0 ? '±0' : n > 0 ? `+${n}` : `−${-n}`);

/** `Anna was away twice, 40 s altogether.` */
export function awayText(name: string, { times, ms }: Away): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.round(seconds / 60);
  const span = seconds < 120 ? say('time.shortSeconds', { seconds }) : say('time.minutes', { minutes });
  return say('play.wasAway', { name, times, span });
}

export const ratedText = (rated: boolean): string => say(rated ? 'game.rated' : 'game.unrated');

/** What a game is played on besides variant and rule set. Of an imported game the page tells neither. */
export function termTexts(info: GameInfo): string[] {
  return isImported(info) ? [say('game.imported')] : [timeControlText(info.timeControl), ratedText(info.rated)];
}

export const daysText = (days: number): string => say('time.days', { days });

/** `10 minutes`, `90 seconds`: the time that a clock begins with. */
export const initialText = (seconds: number): string =>
  seconds % 60 === 0 ? say('time.minutes', { minutes: seconds / 60 }) : say('time.seconds', { seconds });

/** What the time control means, in a sentence. */
export function timeControlSentence(control: TimeControl): string {
  switch (control.type) {
    case 'clock': {
      const initial = initialText(control.initial / 1000);
      const seconds = control.increment / 1000;
      return seconds ? say('time.eachSideMore', { initial, seconds }) : say('time.eachSide', { initial });
    }
    case 'perMove':
      return say('time.secondsForEachMove', { seconds: control.turn / 1000 });
    case 'correspondence':
      return say('time.daysForEachMove', { days: control.days });
    case 'unlimited':
      return say('time.unlimited');
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

function drawReason(state: GameState): string {
  const [side, opponent] = [state.turn, other(state.turn)];
  switch (state.reason) {
    case 'stalemate':
      return say('draws.stalemate', { side });
    case 'repetition':
      return say('draws.repetition');
    case 'moveCount':
      return say('draws.moveCount', { moves: Math.floor(halfMovesOf(state.fen) / 2) });
    case 'deadPosition':
      return say('draws.deadPosition');
    case 'race':
      return say('draws.race');
    case 'agreement':
      return say('draws.agreement');
    case 'flag':
      return say('draws.flag', { side, opponent });
    case 'expiry':
      return say('draws.expiry', { side, opponent });
    case 'resignation':
      return say('draws.resignation');
    case 'absence':
      return say('draws.absence');
    case 'bareKing':
      return say('draws.bareKing');
    case 'unknown':
      return say('endings.unknown');
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
  const atTurn = { side: state.turn, result: winner === state.turn ? 'wins' : 'loses' } as const;
  switch (state.reason) {
    case 'checkmate':
      return say('wins.checkmate');
    case 'resignation':
      return say('wins.resignation', { side: loser });
    case 'flag':
      return say('wins.flag', { side: loser });
    case 'expiry':
      return say('wins.expiry', { side: loser });
    case 'absence':
      return say('wins.absence', { side: loser });
    case 'stalemate':
      return say('wins.stalemate', atTurn);
    case 'bareKing':
      return say('wins.bareKing', { side: loser });
    case 'thirdCheck':
      return say('wins.thirdCheck', { side: winner });
    case 'hill':
      return say('wins.hill', { side: winner });
    case 'explosion':
      return say('wins.explosion', { side: loser });
    case 'allTaken':
      return say('wins.allTaken', atTurn);
    case 'race':
      return say('wins.race', { side: winner });
    case 'unknown':
      return say('endings.unknown');
    default:
      return '';
  }
}

function abortReason(state: GameState): string {
  if (state.reason === 'noFirstMove') return say('aborts.noFirstMove', { side: state.turn });
  return say(state.reason === 'abandoned' ? 'aborts.abandoned' : 'aborts.unrated');
}

/** How a game ended; null while it goes on. */
export function ending(state: GameState): Ending | null {
  if (state.status === 'started') return null;
  if (state.status === 'aborted') return { headline: say('endings.aborted'), reason: abortReason(state), score: '' };
  if (!state.winner) return { headline: say('endings.draw'), reason: drawReason(state), score: '½–½' };
  const score = state.winner === 'white' ? '1–0' : '0–1';
  return { headline: say('endings.wins', { side: state.winner }), reason: winReason(state, state.winner), score };
}

/** A piece, or several of a kind, by its letter of FEN and SAN in either case: `pawn`, `2 pawns`. */
export function pieceName(letter: string, variant: Variant, count = 1): string {
  const role = ROLES[letter.toLowerCase()];
  if (!role) return letter;
  if (!VARIANT_TRAITS[variant].oldMen) return say(`pieces.${role}`, { count });
  if (role === 'bishop') return say('pieces.elephant', { count });
  if (role !== 'queen') return say(`pieces.${role}`, { count });
  return say(variant === 'chaturanga' ? 'pieces.counsellor' : 'pieces.firz', { count });
}

/** Pieces and how many: `2 pawns, knight`. */
export function piecesText(pieces: Iterable<readonly [letter: string, count: number]>, variant: Variant): string {
  return listText([...pieces].map(([letter, count]) => pieceName(letter, variant, count)));
}

export const checksText = (given: number): string => say('game.checksGiven', { given, needed: CHECKS_TO_WIN });

/** A SAN move in spoken words: `knight takes f 3, check`. */
export function spokenMove(san: string, variant: Variant = 'standard'): string {
  const move = spokenSigns(san.replace(/[+#]$/, ''), variant);
  if (san.endsWith('+')) return say('spoken.check', { move });
  if (!san.endsWith('#')) return move;
  // In some variants `#` marks other wins than mate, too.
  return say(VARIANT_TRAITS[variant].matesOnly ? 'spoken.checkmate' : 'spoken.wins', { move });
}

function spokenSigns(san: string, variant: Variant): string {
  if (san.startsWith('O-O-O')) return say('spoken.castlesQueenside');
  if (san.startsWith('O-O')) return say('spoken.castlesKingside');
  const words = [...san].map((sign) => {
    if (sign === 'x') return say('spoken.takes');
    if (sign === '=') return say('spoken.promotesTo');
    if (sign === '@') return say('spoken.droppedOn');
    return /[KQRBNP]/.test(sign) ? pieceName(sign, variant) : sign;
  });
  return words.join(' ');
}

/** The title of the browser's tab. */
export function gameTitle(info: GameInfo, state: GameState, you: Color | null): string {
  const players = playersText(info);
  const end = ending(state);
  if (end) return say('titles.ended', { headline: end.headline, players });
  if (state.paused) return say('titles.paused', { players });
  const name = personName(info[state.turn]);
  if (you === state.turn) return say('titles.yourMove', { name: personName(info[other(state.turn)]) });
  return you ? say('titles.waiting', { name }) : players;
}
