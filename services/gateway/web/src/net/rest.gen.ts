// Generated from services/gateway/answers and rest/described.py by `make schema`. Do not edit.
import type {
  Colour,
  GameInfo,
  GameState,
  GameSummary,
  Party,
  Pause,
  PlayedMove,
  ShownRules,
  Speaker,
} from './wire.gen.ts';

/** It is done. */
export interface Ok {
  ok: boolean;
}

/** What went wrong. */
export interface Problem {
  /** For people. */
  error: string;
  /** Stable. */
  code: string;
  /** The field or place. */
  at?: string;
}

/** A rating in the public API's words: its deviation is `rd`, its progress `prog`, provisional `prov`. */
export interface RatingOf {
  games: number;
  rating: number;
  rd: number;
  prog: number;
  prov: boolean;
}

/** Not counted here: zero. */
export interface PlayTime {
  total: number;
  tv: number;
}

/** How many games somebody has played. */
export interface Counts {
  all: number;
  rated: number;
  win: number;
  loss: number;
  draw: number;
  playing: number;
}

/** An account or a guest. */
export interface User {
  id: string;
  username: string;
  /** By speed, and by variant other than standard. */
  perfs: Readonly<Record<string, RatingOf>>;
  /** Ms since 1970. */
  createdAt: number;
  /** Ms since 1970. */
  seenAt: number;
  playTime: PlayTime;
  url: string;
  count: Counts;
  online: boolean;
  followable: boolean;
  following: boolean;
  blocking: boolean;
  title?: string;
  /** Only when true. */
  guest?: boolean;
}

/** Whether somebody is there. */
export interface UserStatus {
  id: string;
  name: string;
  title?: string;
  /** Only when true. */
  online?: boolean;
  /** Only when true. */
  playing?: boolean;
}

/** How a rating went, a point a day. */
export interface RatingDays {
  name: string;
  /** Year, month from 0, day, rating. */
  points: number[][];
}

/** A rating in full. */
export interface Rating {
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  volatility: number;
  games: number;
  provisional: boolean;
  progress: number;
}

/** A rating after a game. */
export interface RatingPoint {
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  game: string;
  /** Ms since 1970. */
  at: number;
}

/** Somebody's ratings, and how they came to be. */
export interface Ratings {
  id: string;
  ratings: Rating[];
  /** Oldest first. */
  history: RatingPoint[];
}

/** Whose token it is, and what it may do. */
export interface HeldToken {
  userId: string;
  /** Separated by commas. */
  scopes: string;
  expires: number | null;
}

/** A player with a token. */
export interface Credential {
  id: string;
  username: string;
  guest: boolean;
  token: string;
}

/** A new token; it is shown once. */
export interface PersonalToken {
  token: string;
  scopes: string[];
}

/** Whom somebody plays. */
export interface Opponent {
  /** Null for the computer. */
  id: string | null;
  username: string;
  /** The computer's, 1-10. */
  ai?: number;
  /** When the game began, where there is one. */
  rating?: number;
  /** What the end did to the rating. */
  ratingDiff?: number;
  title?: string;
}

/** Where a game stands: its number and its name. */
export interface Status {
  id: number;
  name: 'aborted' | 'created' | 'draw' | 'mate' | 'outoftime' | 'resign' | 'stalemate' | 'started' | 'timeout' | 'unknownFinish' | 'variantEnd';
}

/** The speed of a game. The value is its name in the public API. */
export type Speed = 'ultraBullet' | 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence';

/** A variant, and its names. */
export interface NamedVariant {
  /** A variant's key, or `fromPosition` for standard chess from a position. */
  key: string;
  name: string;
  short: string;
}

/** Which clients can play: all. */
export interface Compat {
  bot: boolean;
  board: boolean;
}

/** A game as one of its players sees it. */
export interface OwnGame {
  id: string;
  gameId: string;
  fullId: string;
  color: Colour;
  fen: string;
  hasMoved: boolean;
  isMyTurn: boolean;
  /** In UCI; empty before the first move. */
  lastMove: string;
  opponent: Opponent;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  rated: boolean;
  source: string;
  status: Status;
  speed: Speed;
  variant: NamedVariant;
  ruleSet: string;
  compat: Compat;
  /** When the game began, where there is one. */
  rating?: number;
  /** What the end did to the rating. */
  ratingDiff?: number;
  /** Seconds. */
  secondsLeft?: number;
  winner?: Colour;
}

/** The games that go on. */
export interface NowPlaying {
  nowPlaying: OwnGame[];
  /** How many of all games wait for the player. */
  nbMyTurn: number;
}

/** A game against the computer that has begun. */
export interface ComputerGame {
  id: string;
  fullId: string;
  variant: NamedVariant;
  speed: Speed;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  rated: boolean;
  fen: string;
  /** Half-moves played. */
  turns: number;
  source: string;
  status: Status;
  /** Ms since 1970. */
  createdAt: number;
  /** The side to move. */
  player: Colour | null;
  /** The person's side. */
  color: Colour;
}

/** A rating's name for people. */
export interface PerfName {
  name: string;
}

/** A player of a game that is streamed. */
export interface Side {
  /** Null for the computer, and in imported games. */
  id: string | null;
  name: string;
  title: string | null;
  /** The computer's, 1-10. */
  aiLevel?: number;
  /** When the game began, where there is one. */
  rating?: number;
  provisional?: boolean;
  /** What the end did to the rating. */
  ratingDiff?: number;
}

/** The time for a first move, in ms. */
export interface Expiration {
  idleMillis: number;
  millisToMove: number;
}

/** The line of a game's stream after each change. */
export interface Moved {
  type: 'gameState';
  /** All moves in UCI. */
  moves: string;
  /** White's ms left. */
  wtime: number;
  /** Black's ms left. */
  btime: number;
  /** White's increment in ms. */
  winc: number;
  /** Black's increment in ms. */
  binc: number;
  status: 'aborted' | 'created' | 'draw' | 'mate' | 'outoftime' | 'resign' | 'stalemate' | 'started' | 'timeout' | 'unknownFinish' | 'variantEnd';
  winner?: Colour;
  /** Only when true. */
  wdraw?: boolean;
  /** Only when true. */
  bdraw?: boolean;
  /** Only when true. */
  wtakeback?: boolean;
  /** Only when true. */
  btakeback?: boolean;
  paused?: Pause;
  expiration?: Expiration;
  /** The id of the rematch, in the first line alone. */
  rematch?: string;
}

/** A clock: in ms in the line `gameFull`. */
export interface GameClock {
  initial: number;
  increment: number;
}

/** The first line of a game's stream. */
export interface GameFull {
  type: 'gameFull';
  id: string;
  variant: NamedVariant;
  speed: Speed;
  perf: PerfName;
  rated: boolean;
  /** Ms since 1970. */
  createdAt: number;
  white: Side;
  black: Side;
  /** `startpos` for the variant's own array. */
  initialFen: string;
  ruleSet: string;
  state: Moved;
  clock?: GameClock;
  secondsPerTurn?: number;
  daysPerTurn?: number;
}

/** A line of chat in a game's stream. */
export interface RoomLine {
  type: 'chatLine';
  room: 'player' | 'spectator';
  username: string;
  text: string;
}

/** What the computer would play, for whoever asked. */
export interface HintLine {
  type: 'hint';
  ply: number;
  uci: string;
  san: string;
}

/** The opponent has left, or is back. */
export interface OpponentGone {
  type: 'opponentGone';
  gone: boolean;
  /** Where it can be claimed. */
  claimWinInSeconds?: number;
}

/** Who somebody is. */
export interface NamedUser {
  id: string;
  name: string;
  title?: string;
}

/** A player of a game that is exported or watched. Of the computer there is `aiLevel` alone, of an import `name`. */
export interface ShownSide {
  user?: NamedUser;
  name?: string;
  /** The computer's, 1-10. */
  aiLevel?: number;
  /** When the game began, where there is one. */
  rating?: number;
  provisional?: boolean;
  /** What the end did to the rating. */
  ratingDiff?: number;
}

/** Both players of such a game. */
export interface ShownSides {
  white: ShownSide;
  black: ShownSide;
}

/** The clock of a game that is exported or listed, in seconds. */
export interface ShownClock {
  initial: number;
  increment: number;
  /** What one side needs for a whole game, as an estimate. */
  totalTime: number;
}

/** A game as it is exported. */
export interface PlayedGame {
  id: string;
  rated: boolean;
  variant: string;
  ruleSet: string;
  speed: Speed;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  /** Ms since 1970. */
  createdAt: number;
  /** Ms since 1970. */
  lastMoveAt: number;
  status: 'aborted' | 'created' | 'draw' | 'mate' | 'outoftime' | 'resign' | 'stalemate' | 'started' | 'timeout' | 'unknownFinish' | 'variantEnd';
  source: string;
  players: ShownSides;
  winner?: Colour;
  initialFen?: string;
  /** In SAN. */
  moves?: string;
  clock?: ShownClock;
  /** After each move, in hundredths of a second. */
  clocks?: number[];
  secondsPerTurn?: number;
  daysPerTurn?: number;
  pgn?: string;
}

/** The first and the last line of a stream of moves. */
export interface WatchedGame {
  id: string;
  variant: NamedVariant;
  speed: Speed;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  rated: boolean;
  initialFen: string;
  fen: string;
  /** The side to move. */
  player: Colour | null;
  /** Half-moves played. */
  turns: number;
  startedAtTurn: number;
  source: string;
  status: Status;
  /** Ms since 1970. */
  createdAt: number;
  ruleSet: string;
  players: ShownSides;
  /** In UCI. */
  lastMove?: string;
  winner?: Colour;
}

/** A line of such a stream: a position. */
export interface WatchedPosition {
  fen: string;
  /** The last move in UCI. */
  lm?: string;
  /** White's seconds left. */
  wc?: number;
  /** Black's seconds left. */
  bc?: number;
}

/** A player of a game among people. */
export interface KnownSide {
  userId?: string;
  /** The computer's, 1-10. */
  aiLevel?: number;
  /** When the game began, where there is one. */
  rating?: number;
  provisional?: boolean;
}

/** Both players of a game among people. */
export interface KnownSides {
  white: KnownSide;
  black: KnownSide;
}

/** A game between two of some people, when it begins and when it ends. */
export interface AmongGame {
  id: string;
  rated: boolean;
  variant: string;
  speed: Speed;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  /** Ms since 1970. */
  createdAt: number;
  status: number;
  statusName: 'aborted' | 'created' | 'draw' | 'mate' | 'outoftime' | 'resign' | 'stalemate' | 'started' | 'timeout' | 'unknownFinish' | 'variantEnd';
  players: KnownSides;
  initialFen?: string;
  clock?: ShownClock;
  secondsPerTurn?: number;
  daysPerTurn?: number;
  winner?: Colour;
}

/** A game that was imported, and its page. */
export interface Imported {
  id: string;
  url: string;
}

/** A side of an invitation. */
export interface Invited {
  id: string;
  name: string;
  title: string | null;
  rating?: number;
  provisional?: boolean;
  online: boolean;
  /** Only when true. */
  guest?: boolean;
}

/** A clock, in seconds. */
export interface AskedClock {
  type: 'clock';
  /** Seconds. */
  limit: number;
  /** Seconds. */
  increment: number;
  /** For people: minutes + seconds. */
  show: string;
}

/** Seconds for each turn. */
export interface AskedPerMove {
  type: 'perMove';
  secondsPerTurn: number;
  show: string;
}

/** Days for each turn. */
export interface AskedDays {
  type: 'correspondence';
  daysPerTurn: number;
}

/** No limit. */
export interface AskedUnlimited {
  type: 'unlimited';
}

/** What a game counts for. */
export interface PerfIcon {
  icon: string;
  name: string;
}

/** Who may accept an open link: anybody, or these two. */
export interface OpenTo {
  userIds?: string[];
}

/** An invitation. */
export interface Challenge {
  /** Also of the game that it becomes. */
  id: string;
  url: string;
  status: 'accepted' | 'canceled' | 'created' | 'declined' | 'offline';
  challenger: Invited | null;
  /** Null for an open link. */
  destUser: Invited | null;
  variant: NamedVariant;
  rated: boolean;
  speed: Speed;
  timeControl: AskedClock | AskedPerMove | AskedDays | AskedUnlimited;
  /** Asked for by the challenger. */
  color: 'black' | 'random' | 'white';
  finalColor: Colour;
  perf: PerfIcon;
  ruleSet: string;
  /** All fields, where no preset's name tells them. */
  ruleSetFields?: ShownRules;
  /** Ms since 1970. */
  createdAt: number;
  /** Ms since 1970. */
  expiresAt: number;
  direction?: 'in' | 'out';
  initialFen?: string;
  rematchOf?: string;
  /** The challenge that it answers. */
  counterTo?: string;
  /** For people. */
  declineReason?: string;
  declineReasonKey?: string;
  open?: OpenTo;
  urlWhite?: string;
  urlBlack?: string;
  name?: string;
}

/** The open invitations of somebody, newest first. */
export interface Challenges {
  in: Challenge[];
  out: Challenge[];
}

/** The last line of a challenge's stream. */
export interface ChallengeDone {
  done: 'accepted' | 'canceled' | 'declined';
}

/** A rematch that was asked for, or that has begun. */
export interface AskedRematch {
  challenge: Challenge | null;
  game: OwnGame | null;
}

/** Who looks for an opponent. */
export interface Seeker {
  id: string;
  name: string;
  title: string | null;
  rating?: number;
  /** Only when true. */
  guest?: boolean;
}

/** Somebody looks for an opponent. */
export interface Seek {
  id: string;
  player: Seeker;
  variant: NamedVariant;
  rated: boolean;
  speed: Speed;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  timeControl: AskedClock | AskedPerMove | AskedDays | AskedUnlimited;
  /** The seeker's. */
  color: 'black' | 'random' | 'white';
  /** As 1500-1800; null for any. */
  ratingRange: string | null;
  ruleSet: string;
  /** All fields, where no preset's name tells them. */
  ruleSetFields?: ShownRules;
  /** Ms since 1970. */
  createdAt: number;
  mine: boolean;
}

/** The seeks that wait, newest first. */
export interface Seeks {
  seeks: Seek[];
}

/** A seek that waits, or the game that it has become. */
export interface Seeking {
  id: string;
  game?: string;
}

/** Never sent: all lines are empty, until a game has begun. */
export interface SeekLine {

}

/** A game has begun, or goes on. */
export interface GameStart {
  type: 'gameStart';
  game: OwnGame;
}

/** A game is over. */
export interface GameFinish {
  type: 'gameFinish';
  game: OwnGame;
}

/** An invitation is open. */
export interface Challenged {
  type: 'challenge';
  challenge: Challenge;
  compat: Compat;
}

/** An invitation was taken back. */
export interface ChallengeCanceled {
  type: 'challengeCanceled';
  challenge: Challenge;
  compat: Compat;
}

/** An invitation was declined. */
export interface ChallengeDeclined {
  type: 'challengeDeclined';
  challenge: Challenge;
  compat: Compat;
}

/** A whole game, in the words of the socket. */
export interface Snapshot {
  game: string;
  v: number;
  info: GameInfo;
  state: GameState;
  moves: PlayedMove[];
  /** The side of whoever asks. */
  you: Colour | null;
}

/** A command was committed. */
export interface Accepted {
  version: number;
  state: GameState;
  /** It had been before; only when true. */
  repeated?: boolean;
}

/** A page of games that fit. */
export interface GamesFound {
  games: GameSummary[];
  /** What to give as `after` for more. */
  next: string | null;
}

/** Somebody's games by result. */
export interface Tally {
  games: number;
  won: number;
  lost: number;
  drawn: number;
  playing: number;
}

/** A rating as a page shows it. */
export interface ShownRating {
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  games: number;
  provisional: boolean;
  progress: number;
}

/** Who somebody is, and how they play. */
export interface PlayerPage {
  /** Empty for the players of an imported game. */
  id: string;
  name: string;
  guest: boolean;
  /** Only if the player has one. */
  title?: string;
  /** The computer's, 1-10. */
  level?: number;
  online: boolean;
  /** Ms since 1970. */
  createdAt: number;
  /** Ms since 1970. */
  seenAt: number;
  record: Tally;
  ratings: ShownRating[];
  vacationUntil: number | null;
}

/** A level of the computer that somebody has beaten. */
export interface LevelBeaten {
  variant: string;
  level: number;
  wins: number;
  winsWithoutHelp: number;
  /** Ms since 1970. */
  first: number;
}

/** What can be earned. */
export interface Badge {
  key: string;
  name: string;
  description: string;
  /** Ms since 1970; null until then. */
  earned: number | null;
}

/** How far somebody has come against the computer. */
export interface Progress {
  beaten: LevelBeaten[];
  /** All, earned or not. */
  badges: Badge[];
}

/** Moves that are played for a player should the opponent play as they foresee. */
export interface ConditionalMoves {
  ply: number;
  lines: string[][];
}

/** Until when the turns of correspondence stand still. Null: there is no vacation. */
export interface Vacation {
  until: number | null;
}

/** A line of chat as the public API has it. */
export interface ChatLine {
  text: string;
  user: string;
}

/** A line of chat. */
export interface SaidLine {
  by: Speaker;
  text: string;
  /** Ms since 1970. */
  at: number;
}

/** The chat beside a game. */
export interface Chat {
  room: 'player' | 'spectator';
  /** Oldest first. */
  lines: SaidLine[];
}

/** How the server is. There are also facts by names of their own, for people. */
export interface Health {
  ready: boolean;
  /** By a proof through all services, 1/s. */
  moves: 'nobody can move' | 'possible';
  /** Why nobody can move. */
  neighbour?: 'database' | 'game' | 'rules';
  /** Moves are possible without it. */
  redis: 'answers' | 'away' | 'refuses writes';
  /** The engine behind it. */
  computer?: string;
}

/** Who somebody is. */
export interface KeptAccount {
  kind: 'account';
  /** Empty for the players of an imported game. */
  id: string;
  name: string;
  guest: boolean;
  /** Only if the player has one. */
  title?: string;
  /** The computer's, 1-10. */
  level?: number;
  online: boolean;
  /** Ms since 1970. */
  createdAt: number;
  /** Ms since 1970. */
  seenAt: number;
  record: Tally;
  ratings: ShownRating[];
  vacationUntil: number | null;
}

/** A token, without its secret. */
export interface KeptToken {
  kind: 'token';
  description: string;
  scopes: string[];
  signIn: boolean;
  /** Ms since 1970. */
  createdAt: number;
}

/** A time in which the turns of correspondence stood still. */
export interface KeptVacation {
  kind: 'vacation';
  /** Ms since 1970. */
  from: number;
  /** Ms since 1970. */
  until: number;
}

/** Conditional moves that wait. */
export interface KeptLines {
  kind: 'conditionalMoves';
  game: string;
  ply: number;
  /** How many. */
  lines: number;
}

/** A part of the history of ratings. */
export interface KeptRatings {
  kind: 'ratings';
  history: RatingPoint[];
}

/** How far somebody has come against the computer. */
export interface KeptProgress {
  kind: 'progress';
  beaten: LevelBeaten[];
  /** All, earned or not. */
  badges: Badge[];
}

/** A line that somebody has said. */
export interface KeptChat {
  kind: 'chat';
  game: string;
  room: 'player' | 'spectator';
  text: string;
  /** Ms since 1970. */
  at: number;
}

/** A game, with its moves and clocks. */
export interface KeptGame {
  kind: 'game';
  id: string;
  rated: boolean;
  variant: string;
  ruleSet: string;
  speed: Speed;
  /** The key of the rating: a speed, or a variant other than standard. */
  perf: string;
  /** Ms since 1970. */
  createdAt: number;
  /** Ms since 1970. */
  lastMoveAt: number;
  status: 'aborted' | 'created' | 'draw' | 'mate' | 'outoftime' | 'resign' | 'stalemate' | 'started' | 'timeout' | 'unknownFinish' | 'variantEnd';
  source: string;
  players: ShownSides;
  winner?: Colour;
  initialFen?: string;
  /** In SAN. */
  moves?: string;
  clock?: ShownClock;
  /** After each move, in hundredths of a second. */
  clocks?: number[];
  secondsPerTurn?: number;
  daysPerTurn?: number;
  pgn?: string;
}

/** A page in the index. */
export interface ListedPage {
  key: string;
  kind: 'ruleSets' | 'variant';
  name: string;
  summary: string;
  reconstruction: boolean;
  updated: string;
}

/** All pages. */
export interface RulesIndex {
  updated: string;
  pages: ListedPage[];
}

/** A starting position that an option gives, with the other options at their defaults. */
export interface OtherStart {
  fen: string;
  when: Readonly<Record<string, string>>;
  text: string;
}

/** The starting position. */
export interface Start {
  fen: string;
  text: readonly string[];
  others: readonly OtherStart[];
}

/** A piece or pawn: its letter in FEN and moves, its names, its rough value in pawns for learners, and its moves. */
export interface VariantPiece {
  letter: string;
  name: string;
  also: readonly string[];
  value: number | null;
  moves: string;
}

/** A rule in words, with its article of the FIDE Laws and its works among the page's sources. */
export interface Said {
  name: string;
  text: string;
  article: string | null;
  sources: readonly string[];
}

/** A way in which games end; `reasons` are values of `EndReason`. */
export interface Ending {
  name: string;
  text: string;
  article: string | null;
  sources: readonly string[];
  reasons: readonly string[];
}

/** One choice for a field or an option. */
export interface Value {
  value: string;
  text: string;
  source: string | null;
}

/** A disputed point of Chaturanga: its field of the rule set, and where the evidence ends. */
export interface Option {
  field: string;
  question: string;
  default: string;
  values: readonly Value[];
  evidence: string;
}

/** A named rule set: its values by field. */
export interface Preset {
  key: string;
  title: string;
  text: string;
  values: Readonly<Record<string, string>>;
}

/** A field of the rule set. `law` has the values that follow the article; none if the Laws have no rule on it. */
export interface Rule {
  field: string;
  name: string;
  text: string;
  article: string | null;
  law: readonly string[];
  values: readonly Value[];
}

/** A point where presets differ from the Laws: which of them follow the article, and what the others do. */
export interface Departure {
  field: string;
  article: string;
  law: string;
  keeps: readonly string[];
  departs: Readonly<Record<string, string>>;
}

/** The rough length of a game. */
export interface Duration {
  minutes: number | null;
  text: string;
}

/** An entry of the glossary. */
export interface Term {
  term: string;
  text: string;
}

/** A question that players ask, with its answer. */
export interface Question {
  question: string;
  answer: string;
}

/** A work that the page is based on. `language` is the work's language (ISO 639-1). */
export interface Source {
  id: string;
  title: string;
  author: string;
  edition: string;
  jurisdiction: string | null;
  link: string | null;
  /** The work's (ISO 639-1). */
  language: string;
  settles: string;
}

/** A whole page. A list is empty if the page has nothing of that kind. */
export interface RulesPage {
  key: string;
  kind: 'ruleSets' | 'variant';
  name: string;
  language: 'en';
  updated: string;
  summary: string;
  /** The key of the page that says what this one does not. */
  builtOn: string | null;
  reconstruction: boolean;
  idea: readonly string[];
  start: Start | null;
  men: readonly VariantPiece[];
  moves: readonly Said[];
  wins: readonly Ending[];
  draws: readonly Ending[];
  material: readonly Said[];
  time: readonly Said[];
  /** Where sources differ, and where Flagfall differs from the rulebook. */
  decisions: readonly Said[];
  options: readonly Option[];
  presets: readonly Preset[];
  rules: readonly Rule[];
  departures: readonly Departure[];
  duration: Duration;
  glossary: readonly Term[];
  faq: readonly Question[];
  sources: readonly Source[];
}

/** What requests may have, by name; /docs of a running server says which ones and what is required. */
export interface Fields {
  username: string;
  password: string;
  oldPassword: string;
  newPassword: string;
  scopes: string;
  description: string;
  /** UCI or SAN */
  move: string;
  /** the half-move of this move, counted from 0 */
  ply: number;
  id: string;
  level: number;
  rated: boolean;
  /** seconds: 15, 30, 45, 90 or whole minutes up to 180 */
  'clock.limit': number;
  'clock.increment': number;
  days: number;
  /** seconds for each turn of a live game, instead of a clock */
  perMove: number;
  /** minutes: 0.25, 0.5, 0.75, 1.5 or 1 to 180 */
  time: number;
  /** seconds */
  increment: number;
  /** a game without any limit */
  untimed: boolean;
  /** the opponent's rating; empty: any */
  ratingRange: string;
  color: 'white' | 'black' | 'random';
  variant: 'standard' | 'chess960' | 'threeCheck' | 'kingOfTheHill' | 'crazyhouse' | 'atomic' | 'antichess' | 'horde' | 'racingKings' | 'shatranj' | 'chaturanga' | 'fromPosition';
  fen: string;
  /** a preset; in JSON also an object with `preset` and the fields that differ from it */
  ruleSet: 'automatic' | 'claimed' | 'everyday' | 'fide' | 'friendly' | 'party' | object;
  /** seconds; 0 is none */
  turnLimit: number;
  /** mark the legal targets of the selected piece */
  legalMarks: boolean;
  /** change colours after each game */
  swapColors: boolean;
  /** only watch, without playing */
  spectator: boolean;
  /** a member's id */
  player: string;
  users: string;
  /** ms since 1970 */
  expiresAt: number;
  token1: string;
  token2: string;
  lines: string;
  vacationDays: number;
  name: string;
  keepAliveStream: boolean;
  reason: string;
  room: 'player' | 'spectator';
  text: string;
  offeringDraw: boolean;
  nb: number;
  ids: string;
  speed: 'ultraBullet' | 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence';
  /** ms since 1970 */
  before: number;
  moves: boolean;
  tags: boolean;
  clocks: boolean;
  pgnInJson: boolean;
  max: number;
  vs: string;
  perfType: string;
  /** ms, included */
  since: number;
  /** ms */
  until: number;
  /** ms, included */
  from: number;
  ongoing: boolean;
  finished: boolean;
  sort: 'dateDesc' | 'dateAsc';
  /** true: no games, since no game here has an analysis */
  analysed: boolean;
  withCurrentGames: boolean;
  opponent: string;
  result: 'won' | 'lost' | 'drawn';
  ended: boolean;
  /** `next` of the previous page */
  after: string;
}

/** What each request may say, and its answer in JSON; null where it has none. */
export interface Operations {
  'POST /api/flagfall/accounts': { answer: Credential; body: Pick<Fields, 'username' | 'password'> };
  'POST /api/flagfall/login': { answer: Credential; body: Pick<Fields, 'username' | 'password'> };
  'POST /api/flagfall/logout': { answer: null };
  'POST /api/flagfall/guests': { answer: Credential };
  'POST /api/flagfall/tokens': { answer: PersonalToken; body: Pick<Fields, 'scopes'> & Partial<Pick<Fields, 'description'>> };
  'DELETE /api/flagfall/tokens/current': { answer: null };
  'GET /api/flagfall/games/{game_id}': { answer: Snapshot };
  'POST /api/flagfall/games/{game_id}/moves': { answer: Accepted; body: Pick<Fields, 'move'> & Partial<Pick<Fields, 'ply' | 'id'>> };
  'POST /api/flagfall/games/{game_id}/claim': { answer: Accepted; body: Partial<Pick<Fields, 'move' | 'id'>> };
  'GET /api/flagfall/health': { answer: Health };
  'DELETE /api/token': { answer: null };
  'GET /api/account': { answer: User };
  'GET /api/account/playing': { answer: NowPlaying; query: { nb?: number } };
  'GET /api/stream/event': { answer: null };
  'GET /api/user/{username}': { answer: User };
  'GET /api/users/status': { answer: UserStatus[]; query: { ids: string } };
  'GET /api/bot/online': { answer: null; query: { nb?: number } };
  'POST /api/bot/account/upgrade': { answer: Ok };
  'POST /api/token/test': { answer: Readonly<Record<string, HeldToken | null>>; body: string };
  'GET /api/challenge': { answer: Challenges };
  'POST /api/challenge/ai': { answer: ComputerGame; body: Pick<Fields, 'level'> & Partial<Pick<Fields, 'variant' | 'fen' | 'clock.limit' | 'clock.increment' | 'days' | 'perMove' | 'color' | 'ruleSet'>> };
  'POST /api/challenge/open': { answer: Challenge; body: Partial<Pick<Fields, 'rated' | 'name' | 'users' | 'expiresAt' | 'variant' | 'fen' | 'clock.limit' | 'clock.increment' | 'days' | 'perMove' | 'color' | 'ruleSet'>> };
  'GET /api/challenge/{challenge_id}/show': { answer: Challenge };
  'POST /api/challenge/{challenge_id}/accept': { answer: Ok; query: { color?: 'white' | 'black' | 'random' } };
  'POST /api/challenge/{challenge_id}/decline': { answer: Ok; body: Partial<Pick<Fields, 'reason'>> };
  'POST /api/challenge/{challenge_id}/cancel': { answer: Ok };
  'POST /api/challenge/{challenge_id}/start-clocks': { answer: Ok; query: { token1: string; token2: string } };
  'POST /api/challenge/{username}': { answer: Challenge; body: Partial<Pick<Fields, 'rated' | 'keepAliveStream' | 'variant' | 'fen' | 'clock.limit' | 'clock.increment' | 'days' | 'perMove' | 'color' | 'ruleSet'>> };
  'POST /api/flagfall/games/{game_id}/rematch': { answer: AskedRematch };
  'POST /api/flagfall/challenges/{challenge_id}/counter': { answer: Challenge; body: Partial<Pick<Fields, 'rated' | 'variant' | 'fen' | 'clock.limit' | 'clock.increment' | 'days' | 'perMove' | 'color' | 'ruleSet'>> };
  'POST /api/board/seek': { answer: Seeking; body: Partial<Pick<Fields, 'rated' | 'variant' | 'time' | 'increment' | 'days' | 'perMove' | 'untimed' | 'color' | 'ratingRange' | 'ruleSet'>> };
  'GET /api/flagfall/seeks': { answer: Seeks };
  'POST /api/flagfall/seeks/{seek_id}/accept': { answer: OwnGame };
  'DELETE /api/flagfall/seeks/{seek_id}': { answer: Ok };
  'POST /api/flagfall/parties': { answer: Party; body: Partial<Pick<Fields, 'turnLimit' | 'legalMarks' | 'swapColors' | 'variant' | 'ruleSet'>> };
  'GET /api/flagfall/parties/{party_id}': { answer: Party };
  'POST /api/flagfall/parties/{party_id}/join': { answer: Party; body: Partial<Pick<Fields, 'spectator'>> };
  'POST /api/flagfall/parties/{party_id}/leave': { answer: Party };
  'POST /api/flagfall/parties/{party_id}/remove': { answer: Party; body: Pick<Fields, 'player'> };
  'POST /api/flagfall/parties/{party_id}/settings': { answer: Party; body: Partial<Pick<Fields, 'turnLimit' | 'legalMarks' | 'swapColors' | 'variant' | 'ruleSet'>> };
  'POST /api/flagfall/parties/{party_id}/start': { answer: Party };
  'POST /api/flagfall/parties/{party_id}/host': { answer: Party; body: Pick<Fields, 'player'> };
  'POST /api/flagfall/parties/{party_id}/close': { answer: Party };
  'GET /api/flagfall/account/data': { answer: null };
  'POST /api/flagfall/account/password': { answer: Credential; body: Pick<Fields, 'oldPassword' | 'newPassword'> };
  'POST /api/flagfall/account/close': { answer: null; body: Partial<Pick<Fields, 'password'>> };
  'POST /api/round/{game_id}/add-time/{seconds}': { answer: Ok };
  'GET /api/board/game/stream/{game_id}': { answer: null };
  'POST /api/board/game/{game_id}/move/{uci}': { answer: Ok; query: { offeringDraw?: boolean } };
  'POST /api/board/game/{game_id}/resign': { answer: Ok };
  'POST /api/board/game/{game_id}/abort': { answer: Ok };
  'POST /api/board/game/{game_id}/draw/{answer}': { answer: Ok };
  'POST /api/board/game/{game_id}/claim-draw': { answer: Ok; body: Partial<Pick<Fields, 'move'>> };
  'POST /api/board/game/{game_id}/claim-victory': { answer: Ok };
  'POST /api/board/game/{game_id}/takeback/{answer}': { answer: Ok };
  'POST /api/board/game/{game_id}/chat': { answer: Ok; body: Pick<Fields, 'text'> & Partial<Pick<Fields, 'room'>> };
  'GET /api/board/game/{game_id}/chat': { answer: ChatLine[] };
  'GET /api/bot/game/stream/{game_id}': { answer: null };
  'POST /api/bot/game/{game_id}/move/{uci}': { answer: Ok; query: { offeringDraw?: boolean } };
  'POST /api/bot/game/{game_id}/resign': { answer: Ok };
  'POST /api/bot/game/{game_id}/abort': { answer: Ok };
  'POST /api/bot/game/{game_id}/draw/{answer}': { answer: Ok };
  'POST /api/bot/game/{game_id}/claim-draw': { answer: Ok; body: Partial<Pick<Fields, 'move'>> };
  'POST /api/bot/game/{game_id}/claim-victory': { answer: Ok };
  'POST /api/bot/game/{game_id}/takeback/{answer}': { answer: Ok };
  'POST /api/bot/game/{game_id}/chat': { answer: Ok; body: Pick<Fields, 'text'> & Partial<Pick<Fields, 'room'>> };
  'GET /api/bot/game/{game_id}/chat': { answer: ChatLine[] };
  'POST /api/flagfall/games/{game_id}/undo': { answer: Accepted; body: Partial<Pick<Fields, 'id'>> };
  'POST /api/flagfall/games/{game_id}/go-on': { answer: Accepted; body: Partial<Pick<Fields, 'id'>> };
  'POST /api/flagfall/games/{game_id}/level': { answer: Accepted; body: Pick<Fields, 'level'> & Partial<Pick<Fields, 'id'>> };
  'POST /api/flagfall/games/{game_id}/hint': { answer: Accepted; body: Partial<Pick<Fields, 'id'>> };
  'POST /api/flagfall/games/{game_id}/seat': { answer: Accepted; body: Partial<Pick<Fields, 'id'>> };
  'GET /game/export/{game_id}': { answer: PlayedGame; query: { moves?: boolean; tags?: boolean; clocks?: boolean; pgnInJson?: boolean } };
  'POST /api/import': { answer: Imported; body: Blob };
  'GET /api/user/{username}/rating-history': { answer: RatingDays[] };
  'GET /api/flagfall/players/{username}/ratings': { answer: Ratings; query: { variant?: 'standard' | 'chess960' | 'threeCheck' | 'kingOfTheHill' | 'crazyhouse' | 'atomic' | 'antichess' | 'horde' | 'racingKings' | 'shatranj' | 'chaturanga'; speed?: 'ultraBullet' | 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence'; before?: number; nb?: number } };
  'GET /api/flagfall/rules': { answer: RulesIndex };
  'GET /api/flagfall/rules/{key}': { answer: RulesPage };
  'GET /api/games/user/{username}': { answer: null; query: { max?: number; vs?: string; rated?: boolean; perfType?: string; color?: 'white' | 'black'; since?: number; until?: number; ongoing?: boolean; finished?: boolean; sort?: 'dateDesc' | 'dateAsc'; analysed?: boolean; moves?: boolean; tags?: boolean; clocks?: boolean; pgnInJson?: boolean } };
  'POST /api/games/export/_ids': { answer: null; body: string; query: { moves?: boolean; tags?: boolean; clocks?: boolean; pgnInJson?: boolean } };
  'GET /api/user/{username}/current-game': { answer: PlayedGame; query: { moves?: boolean; tags?: boolean; clocks?: boolean; pgnInJson?: boolean } };
  'GET /api/stream/game/{game_id}': { answer: null };
  'POST /api/stream/games-by-users': { answer: null; body: string; query: { withCurrentGames?: boolean } };
  'GET /api/flagfall/games': { answer: GamesFound; query: { player?: string; opponent?: string; color?: 'white' | 'black'; variant?: 'standard' | 'chess960' | 'threeCheck' | 'kingOfTheHill' | 'crazyhouse' | 'atomic' | 'antichess' | 'horde' | 'racingKings' | 'shatranj' | 'chaturanga'; result?: 'won' | 'lost' | 'drawn'; rated?: boolean; from?: number; until?: number; ended?: boolean; sort?: 'dateDesc' | 'dateAsc'; after?: string; nb?: number } };
  'GET /api/flagfall/players/{player_id}': { answer: PlayerPage };
  'GET /api/flagfall/games/{game_id}/chat': { answer: Chat; query: { room?: 'player' | 'spectator' } };
  'GET /api/flagfall/players/{username}/progress': { answer: Progress };
  'GET /api/flagfall/games/{game_id}/conditional-moves': { answer: ConditionalMoves };
  'POST /api/flagfall/games/{game_id}/conditional-moves': { answer: ConditionalMoves; body: Pick<Fields, 'lines'> };
  'POST /api/flagfall/vacation': { answer: Vacation; body: Pick<Fields, 'vacationDays'> };
}
