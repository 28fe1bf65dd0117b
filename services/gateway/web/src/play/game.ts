// The state of one game as this page knows it: a value, moved on by versions.
import { other, type Color } from '../chess/color.ts';
import { rulesOf, type ShownRules } from '../chess/rule_sets.ts';
import type { GameInfo, GameState, PlayedMove, ServerFrame } from '../net/wire.ts';

export interface Game {
  id: string;
  /** The last version applied. */
  v: number;
  info: GameInfo;
  state: GameState;
  moves: PlayedMove[];
  /** The colour that this page's user plays; null for a spectator. */
  you: Color | null;
}

export type Applied = { kind: 'applied'; game: Game } | { kind: 'known' } | { kind: 'gap' };

export function fromFull(frame: Extract<ServerFrame, { t: 'full' }>): Game {
  const { game: id, v, info, state, moves, you } = frame;
  return { id, v, info, state, moves, you };
}

/**
 * The game after version `v`. The state of one version may come twice, and only once with the legal moves. A version that is known already is ignored; one that leaves out another is a gap, and
 * the caller asks the server for what is missing.
 */
export function applyVersion(game: Game, v: number, state: GameState, byComputer = false): Applied {
  if (v === game.v && !game.state.legal && state.legal) return { kind: 'applied', game: { ...game, state } };
  if (v <= game.v) return { kind: 'known' };
  if (v > game.v + 1) return { kind: 'gap' };
  // Moves were taken back: the list ends there.
  if (state.ply < game.moves.length) {
    return { kind: 'applied', game: { ...game, v, state, moves: game.moves.slice(0, state.ply) } };
  }
  if (state.ply === game.moves.length) return { kind: 'applied', game: { ...game, v, state } };
  if (state.ply !== game.moves.length + 1 || !state.lastMove) return { kind: 'gap' };
  const mover = game.state.turn;
  const move: PlayedMove = {
    ...state.lastMove,
    clock: state.clock ? state.clock[mover] : 0,
    ...(byComputer ? { byComputer } : {}),
  };
  return { kind: 'applied', game: { ...game, v, state, moves: [...game.moves, move] } };
}

/** Whether `you` may move now. */
export const isYourTurn = (game: Game): boolean =>
  game.state.status === 'started' && !game.state.paused && game.you === game.state.turn;

/** Until both sides have moved a game may be aborted. */
export const mayAbort = (game: Game): boolean => game.state.status === 'started' && game.state.ply < 2;

/** All fields of the game's rule set. */
export const rulesOfGame = (info: GameInfo): ShownRules => rulesOf(info.ruleSet, info.rules);

/** The opponent's level, when a computer has that seat from the beginning on. */
export const levelOf = ({ you, info }: Game): number => (you && info[other(you)].level) || 0;

/** Whether `you` has made a move that could be taken back. */
const hasMoved = ({ you, state }: Game): boolean => state.ply >= (state.turn === you ? 2 : 1);

/** Whether the last move may be undone: against the computer, also after the end. */
export const mayUndo = (game: Game): boolean => levelOf(game) > 0 && game.state.status !== 'aborted' && hasMoved(game);

export const mayHint = (game: Game): boolean => levelOf(game) > 0 && isYourTurn(game);

/** Whether the computer's level may still be changed: before the own first move. */
export const mayChangeLevel = (game: Game): boolean =>
  levelOf(game) > 0 && game.state.status === 'started' && !hasMoved(game);

const amongPeople = (game: Game): boolean =>
  game.you !== null && levelOf(game) === 0 && game.state.status === 'started' && !game.state.paused;

export const mayAskTakeback = (game: Game): boolean =>
  amongPeople(game) &&
  hasMoved(game) &&
  !game.state.takebackOffer &&
  !isHeld(game) &&
  rulesOfGame(game.info).takeback === 'byConsent';

export const mayGiveTime = (game: Game): boolean =>
  amongPeople(game) && game.info.timeControl.type === 'clock' && !game.state.withoutClock;

/** Whether a computer plays for one of two people. */
export const isHeld = ({ state }: Game): boolean => Boolean(state.seats?.white || state.seats?.black);

/** Whether somebody is to move here who cannot, since the legal moves did not come with the newest state. */
export const needsLegal = ({ state, info }: Game): boolean =>
  state.status === 'started' && !state.paused && !state.legal && !info[state.turn].level;
