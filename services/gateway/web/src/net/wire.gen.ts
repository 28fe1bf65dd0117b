// Generated from services/gateway/protocol by `make schema`: the frames of docs/protocol.md. Do not edit.

/** Sign in. */
export interface AuthFrame {
  t: 'auth';
  token: string;
  seq?: number;
}

/** Watch a game from a version on; 0 for none. */
export interface SubFrame {
  t: 'sub';
  game: string;
  v: number;
}

/** Stop watching a game. */
export interface UnsubFrame {
  t: 'unsub';
  game: string;
}

/** Play a move. */
export interface MoveFrame {
  t: 'move';
  game: string;
  id: string;
  move: string;
  ply: number;
  draw?: boolean;
}

/** Resign a game. */
export interface ResignFrame {
  t: 'resign';
  game: string;
  id: string;
}

/** Abort a game. */
export interface AbortFrame {
  t: 'abort';
  game: string;
  id: string;
}

/** Offer or accept a draw, or claim one that is due. */
export interface DrawFrame {
  t: 'draw';
  game: string;
  id: string;
}

/** Claim a draw that is due; with a move, for the position that it would make. */
export interface ClaimFrame {
  t: 'claim';
  game: string;
  id: string;
  move?: string;
}

/** Decline or withdraw a draw offer. */
export interface NoDrawFrame {
  t: 'nodraw';
  game: string;
  id: string;
}

/** Ask to take one's last move back, or accept the opponent's request. */
export interface TakebackFrame {
  t: 'takeback';
  game: string;
  id: string;
}

/** Decline or withdraw a takeback request. */
export interface NoTakebackFrame {
  t: 'notakeback';
  game: string;
  id: string;
}

/** Undo one's last move and the computer's answer. */
export interface UndoFrame {
  t: 'undo';
  game: string;
  id: string;
}

/** Claim a win after a flag fall, a passed limit or an absence; or a draw when the opponent has left. */
export interface WinFrame {
  t: 'win';
  game: string;
  id: string;
  draw?: boolean;
}

/** After a flag fall: offer to go on without a clock, or accept the offer. */
export interface GoOnFrame {
  t: 'goon';
  game: string;
  id: string;
}

/** Give the opponent time. */
export interface GiveTimeFrame {
  t: 'givetime';
  game: string;
  id: string;
  seconds: number;
}

/** Change the computer's level. */
export interface LevelFrame {
  t: 'level';
  game: string;
  id: string;
  level: number;
}

/** Take one's seat back from a computer. */
export interface ReturnSeatFrame {
  t: 'seat';
  game: string;
  id: string;
}

/** Ask what the computer would play. */
export interface HintFrame {
  t: 'hint';
  game: string;
  id: string;
}

/** Send a chat line. */
export interface ChatFrame {
  t: 'chat';
  game: string;
  id: string;
  text: string;
  room: 'player' | 'spectator';
}

/** A ping; the server answers with a pong. */
export interface PingFrame {
  t: 'p';
  n?: number;
}

/** A person or the computer. */
export interface Person {
  /** Empty for the players of an imported game. */
  id: string;
  name: string;
  guest: boolean;
  /** Only if the player has one. */
  title?: string;
  /** The computer's, 1-10. */
  level?: number;
}

/** The first frame of a connection. */
export interface Welcome {
  t: 'welcome';
  player: Person | null;
  /** Server time, in ms since 1970. */
  now: number;
  protocol: number;
}

/** From now on the player's own events are sent: every one after number `seq`. */
export interface Following {
  t: 'following';
  seq: number;
}

/** A variant. As text it is its key, as the public API spells it. */
export type Variant = 'standard' | 'chess960' | 'threeCheck' | 'kingOfTheHill' | 'crazyhouse' | 'atomic' | 'antichess' | 'horde' | 'racingKings' | 'shatranj' | 'chaturanga';

/** When a repeated position ends the game. */
export type Repetition = 'claimThreeAutomaticFive' | 'automaticThree';

/** When moves without a capture or a pawn move end the game. */
export type MoveCount = 'claimFiftyAutomaticSeventyFive' | 'automaticFifty';

/** How a position in which neither side can mate is recognised (FIDE 5.2.2). */
export type DeadPosition = 'exact' | 'byMaterial';

/** What happens after a flag fall. */
export type FallenFlag = 'decidesAtOnce' | 'opponentDecides';

/** What the opponent needs to win after a flag fall; otherwise the game is a draw. */
export type WinOnTime = 'possibleMate' | 'moreThanBareKingNotDead' | 'forcingMaterial' | 'moreThanBareKing' | 'moreThanOneMinor';

/** The result of resigning if the opponent could not win after a flag fall (FIDE 5.1.2). */
export type Resignation = 'drawIfCannotWin' | 'loss';

/** When a draw may be agreed. */
export type Agreement = 'anyTime' | 'afterBothMoved';

/** What happens while a player is away. */
export type AbsentPlayer = 'clockRuns' | 'opponentClaims' | 'computerPlays';

/** What happens when a correspondence limit has passed. */
export type LateCorrespondence = 'closedAtOnce' | 'opponentClaims';

/** Whether people may take a move back in unrated games. */
export type Takeback = 'never' | 'byConsent';

/** The effect of a rated draw on ratings. */
export type RatedDraw = 'halfPoint' | 'leavesRatings';

/** Who plays White in a rematch. */
export type Rematch = 'coloursSwap' | 'coloursStay' | 'random';

/** The result for a side that has no legal move and is not in check. */
export type Stalemate = 'loses' | 'wins' | 'draws';

/** The result of capturing the opponent's last piece besides the king. */
export type BareKing = 'none' | 'winsAtOnce' | 'winsUnlessBaredBack';

/** How the elephant moves. */
export type Elephant = 'alfil' | 'lameAlfil' | 'oneStep' | 'rookwiseLeap' | 'cornerRookwiseLeap';

/** Where the kings stand in the starting position. */
export type Kings = 'facingOnE' | 'facingOnD' | 'crossed';

/** What a pawn becomes on the last rank. */
export type PawnBecomes = 'firz' | 'filePiece' | 'filePieceIfLost';

/** The disputed points of Chaturanga. */
export interface ShownChaturanga {
  stalemate: Stalemate;
  bareKing: BareKing;
  elephant: Elephant;
  kings: Kings;
  pawnBecomes: PawnBecomes;
  kingLeap: boolean;
}

/** Every field of a rule set. */
export interface ShownRules {
  repetition: Repetition;
  moveCount: MoveCount;
  deadPosition: DeadPosition;
  fallenFlag: FallenFlag;
  winOnTime: WinOnTime;
  resignation: Resignation;
  agreement: Agreement;
  absentPlayer: AbsentPlayer;
  lateCorrespondence: LateCorrespondence;
  takeback: Takeback;
  ratedDraw: RatedDraw;
  rematch: Rematch;
  chaturanga: ShownChaturanga;
}

/** An initial time for each side, and an increment for each move. */
export interface Clock {
  type: 'clock';
  /** Milliseconds. */
  initial: number;
  /** Milliseconds. */
  increment: number;
}

/** A time for each turn. */
export interface PerMove {
  type: 'perMove';
  /** Milliseconds. */
  turn: number;
}

/** Days for each turn. */
export interface Correspondence {
  type: 'correspondence';
  days: number;
}

/** No time limit. */
export interface Unlimited {
  type: 'unlimited';
}

/** The player of a side. */
export interface Seated {
  /** Empty for the players of an imported game. */
  id: string;
  name: string;
  guest: boolean;
  /** Only if the player has one. */
  title?: string;
  /** The computer's, 1-10. */
  level?: number;
  /** The rating when the game began, if any. */
  rating?: number;
  /** Only when true. */
  provisional?: boolean;
}

/** The data of a game that never changes, except the computer's level. */
export interface GameInfo {
  id: string;
  variant: Variant;
  /** A preset, or custom. */
  ruleSet: string;
  /** Only if it is not a plain preset. */
  rules?: ShownRules;
  timeControl: Clock | PerMove | Correspondence | Unlimited;
  white: Seated;
  black: Seated;
  rated: boolean;
  source: 'ai' | 'friend' | 'import' | 'lobby' | 'open' | 'party' | 'rematch';
  /** Null: the variant's initial position. */
  initialFen: string | null;
  /** Server time, in ms since 1970. */
  createdAt: number;
  rematchOf?: string;
  /** Only for the two players. */
  party?: string;
}

/** A side. The value is its name in the public API. */
export type Colour = 'white' | 'black';

/** Why a game is over. The value is the word in Flagfall's own interfaces. */
export type EndReason = 'checkmate' | 'resignation' | 'stalemate' | 'repetition' | 'moveCount' | 'deadPosition' | 'agreement' | 'flag' | 'expiry' | 'abort' | 'noFirstMove' | 'bareKing' | 'thirdCheck' | 'hill' | 'explosion' | 'allTaken' | 'race' | 'unknown' | 'absence' | 'abandoned';

/** A move in both notations. */
export interface LastMove {
  uci: string;
  san: string;
}

/** Both clocks at the time `at` of the state. */
export interface Clocks {
  /** Milliseconds. */
  white: number;
  /** Milliseconds. */
  black: number;
  /** Whose clock is running. */
  running: Colour | null;
}

/** A draw that a player may claim (FIDE 9.2, 9.3). */
export type Claim = 'threefold' | 'fifty';

/** A flag fell, and the other side decides. */
export interface Pause {
  flagged: Colour;
  /** Server time, in ms since 1970. */
  since: number;
  goingOnOffered: boolean;
  /** Who wins if the result is taken; null for a draw. */
  winner: Colour | null;
}

/** The level of the computer in each seat; null where a person has it. */
export interface Levels {
  white: number | null;
  black: number | null;
}

/** The change of each rating by the end of the game; null for a player without a change. */
export interface RatingDiffs {
  white: number | null;
  black: number | null;
}

/** The state of a game. */
export interface GameState {
  status: 'aborted' | 'ended' | 'started';
  winner: Colour | null;
  reason: EndReason | null;
  ply: number;
  fen: string;
  turn: Colour;
  check: boolean;
  lastMove: LastMove | null;
  /** Null without a clock. */
  clock: Clocks | null;
  /** Server time of these clocks. */
  at: number;
  /** Server time at which the turn's time is over. */
  deadline: number | null;
  drawOffer: Colour | null;
  claims: Claim[];
  /** Legal moves in UCI; absent if a newer state existed when this was sent. */
  legal?: string[];
  /** Who asks to take a move back. */
  takebackOffer?: Colour;
  paused?: Pause;
  /** Began as rated, no longer counts; only when true. */
  unrated?: boolean;
  /** Computers that play for absent players. */
  seats?: Levels;
  /** The game goes on without its clock; only when true. */
  withoutClock?: boolean;
  /** A hint was taken or a move undone; only when true. */
  helped?: boolean;
  /** How often moves were taken back. */
  takebacks?: number;
  /** The turn's limit has passed, and the opponent may win; only when true. */
  claimable?: boolean;
  ratingDiff?: RatingDiffs;
}

/** One played move. */
export interface PlayedMove {
  uci: string;
  san: string;
  /** The mover's clock after the move, in ms; 0 without a clock. */
  clock: number;
  /** A computer played it for the seat's player; only when true. */
  byComputer?: boolean;
}

/** The whole game. */
export interface Full {
  t: 'full';
  game: string;
  v: number;
  info: GameInfo;
  state: GameState;
  moves: PlayedMove[];
  you: Colour | null;
}

/** One change of a game. */
export interface GameChange {
  v: number;
  kind: 'clocksStarted' | 'created' | 'drawClosed' | 'drawOffered' | 'ended' | 'goingOnOffered' | 'hinted' | 'levelChanged' | 'move' | 'paused' | 'seatReturned' | 'seatTaken' | 'takebackClosed' | 'takebackOffered' | 'takenBack' | 'timeGiven' | 'wentOn';
  by: Colour | null;
  state: GameState;
  /** A computer played it for the seat's player; only when true. */
  byComputer?: boolean;
  /** With the new level of the computer. */
  info?: GameInfo;
}

/** The events since the version of `sub`, in order. */
export interface Events {
  t: 'events';
  game: string;
  events: GameChange[];
}

/** One change, as it happens. */
export interface GameEvent {
  t: 'event';
  v: number;
  kind: 'clocksStarted' | 'created' | 'drawClosed' | 'drawOffered' | 'ended' | 'goingOnOffered' | 'hinted' | 'levelChanged' | 'move' | 'paused' | 'seatReturned' | 'seatTaken' | 'takebackClosed' | 'takebackOffered' | 'takenBack' | 'timeGiven' | 'wentOn';
  by: Colour | null;
  state: GameState;
  /** A computer played it for the seat's player; only when true. */
  byComputer?: boolean;
  /** With the new level of the computer. */
  info?: GameInfo;
  game: string;
}

/** A command was committed. For a chat line only `id` and `game`. */
export interface Ack {
  t: 'ack';
  id: string;
  game: string;
  v?: number;
  state?: GameState;
  /** Only when true. */
  repeated?: boolean;
}

/** The cause of a refusal. The docstring of each code is its default text for the client. */
export type RefusalCode = 'not_your_turn' | 'illegal_move' | 'stale_version' | 'time_is_up' | 'game_over' | 'malformed' | 'not_a_player' | 'not_found' | 'not_allowed' | 'not_due' | 'command_conflict' | 'bad_position' | 'unsupported_variant' | 'name_taken' | 'wrong_password' | 'account_needed' | 'limit_reached' | 'unavailable';

/** A command was refused. */
export interface Nack {
  t: 'nack';
  id: string;
  game: string;
  code: RefusalCode;
  message: string;
}

/** The sender of a chat line. */
export interface Speaker {
  id: string;
  name: string;
}

/** A line of chat. */
export interface Line {
  t: 'chat';
  game: string;
  room: 'player' | 'spectator';
  by: Speaker;
  text: string;
  /** Server time, in ms since 1970. */
  at: number;
}

/** A hint: the move that the computer would play. */
export interface Hinted {
  t: 'hint';
  game: string;
  /** The ply of the hint's position. */
  ply: number;
  uci: string;
  san: string;
}

/** The opponent has left, or is back. */
export interface Presence {
  t: 'presence';
  game: string;
  side: Colour;
  gone: boolean;
  /** Milliseconds, while gone. */
  away?: number;
  /** Milliseconds, where it can be claimed. */
  claimIn?: number;
}

/** How often and for how many ms a player was away in a game. */
export interface Away {
  times: number;
  ms: number;
}

/** The absences of both players, once the game is over. */
export interface Absences {
  t: 'absences';
  game: string;
  white: Away;
  black: Away;
}

/** An invitation. */
export interface Challenge {
  /** Also the id of the game after acceptance. */
  id: string;
  status: 'accepted' | 'canceled' | 'created' | 'declined' | 'offline';
  challenger: Seated | null;
  dest: Seated | null;
  variant: Variant;
  ruleSet: string;
  rules?: ShownRules;
  timeControl: Clock | PerMove | Correspondence | Unlimited;
  rated: boolean;
  /** The challenger's choice. */
  color: 'black' | 'random' | 'white';
  finalColor: Colour | null;
  initialFen: string | null;
  /** Server time, in ms since 1970. */
  createdAt: number;
  /** For a live one to a person, the earliest. */
  expiresAt: number | null;
  declineReason: string | null;
  open: boolean;
  name: string | null;
  rematchOf: string | null;
  /** The challenge that this counter-offer answers. */
  counterTo: string | null;
}

/** A game in a player's own events. */
export interface GameSummary {
  id: string;
  v: number;
  info: GameInfo;
  state: GameState;
}

/** The settings of a party. */
export interface PartySettings {
  /** Seconds for each turn; 0 for none. */
  turnLimit: number;
  legalMarks: boolean;
  swapColors: boolean;
  variant: Variant;
  ruleSet: string;
  rules?: ShownRules;
}

/** A member of a party. */
export interface PartyMember {
  /** Empty for the players of an imported game. */
  id: string;
  name: string;
  guest: boolean;
  /** Only if the player has one. */
  title?: string;
  /** The computer's, 1-10. */
  level?: number;
  spectator: boolean;
  /** Server time, in ms since 1970. */
  joinedAt: number;
}

/** People who play in turns. */
export interface Party {
  id: string;
  v: number;
  host: string;
  settings: PartySettings;
  members: PartyMember[];
  /** The two who play next; empty without two. */
  next: string[];
  game: string | null;
  /** Server time, in ms since 1970. */
  createdAt: number;
  closed: boolean;
}

/** An event of the signed-in player. */
export interface PlayerFrame {
  t: 'player';
  kind: 'challenge' | 'challengeCanceled' | 'challengeDeclined' | 'gameFinish' | 'gameStart' | 'party' | 'reminder';
  seq: number;
  challenge?: Challenge;
  game?: GameSummary;
  party?: Party;
  /** For a reminder. */
  deadline?: number;
}

/** The game is not watched. */
export interface Gone {
  t: 'gone';
  game: string;
  code: RefusalCode;
  message: string;
}

/** A frame could not be parsed, or exceeds a limit. */
export interface Fault {
  t: 'error';
  code: RefusalCode;
  message: string;
  /** A field, or a place in the text. */
  at?: string;
  /** The id of the frame, if it had one. */
  id?: string;
}

/** The answer to a ping. */
export interface Pong {
  t: 'p';
  n?: number;
  /** Server time, in ms since 1970. */
  now: number;
}

/** What the page may send. */
export type ClientFrame =
  | AuthFrame
  | SubFrame
  | UnsubFrame
  | MoveFrame
  | ResignFrame
  | AbortFrame
  | DrawFrame
  | ClaimFrame
  | NoDrawFrame
  | TakebackFrame
  | NoTakebackFrame
  | UndoFrame
  | WinFrame
  | GoOnFrame
  | GiveTimeFrame
  | LevelFrame
  | ReturnSeatFrame
  | HintFrame
  | ChatFrame
  | PingFrame;

/** What the server sends. */
export type ServerFrame =
  | Welcome
  | Following
  | Full
  | Events
  | GameEvent
  | Ack
  | Nack
  | Line
  | Hinted
  | Presence
  | Absences
  | PlayerFrame
  | Gone
  | Fault
  | Pong;
