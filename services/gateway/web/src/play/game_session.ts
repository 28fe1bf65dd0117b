// One watched game: takes frames in, keeps the game by version, sends commands until they are answered.
import { commandId, Outbox } from '../net/outbox.ts';
import { ServerTime } from '../net/server_time.ts';
import { Socket, type Link } from '../net/socket.ts';
import type { Act, ChatLine, Command, GameEvent, GameState, Person, PlayerFrame, Room, ServerFrame } from '../net/wire.ts';
import { say } from '../words/say.ts';
import { afterFrame, ALONE, withLines, type Company } from './company.ts';
import { applyVersion, fromFull, needsLegal, type Game } from './game.ts';

/** A refusal that means "not now": the same command is sent again after this time. */
export const UNAVAILABLE_REPEAT_MS = 1_000;

/** A move that was shown before the server had decided it. */
export interface PendingMove {
  id: string;
  uci: string;
  ply: number;
  /** Server time at which it was made: the own clock is shown stopped there. */
  at: number;
}

export interface SessionView {
  link: Link;
  /** The signed-in player; undefined until the server has said. */
  player: Person | null | undefined;
  game: Game | null;
  /** The server says that there is no such game (it may be an invitation). */
  missing: boolean;
  pending: PendingMove | null;
  /** The last refusal, in the server's words. `serial` tells one from the next. */
  notice: { text: string; serial: number } | null;
  company: Company;
}

export class GameSession {
  readonly gameId: string;
  readonly time = new ServerTime();
  readonly #socket: Socket;
  readonly #outbox = new Outbox();
  readonly #listeners = new Set<() => void>();
  #view: SessionView = {
    link: 'connecting',
    player: undefined,
    game: null,
    missing: false,
    pending: null,
    notice: null,
    company: ALONE,
  };
  readonly #affairs = new Set<(frame: PlayerFrame) => void>();
  readonly #followers = new Set<() => void>();
  /** Lines of chat that were not answered; they are not sent again. */
  readonly #said = new Set<string>();
  /** The own seat was asked back from a computer. */
  #seatAsked = false;
  /** A gap was seen and what is missing was asked for. */
  #asked = false;
  /** The next subscription wants the whole game, since who looks at it has changed. */
  #afresh = false;
  /** The version at which the whole game was asked for, since its legal moves were not known. */
  #wholeAskedAt = 0;
  #repeatTimer: ReturnType<typeof setInterval> | undefined;

  constructor(gameId: string, url: string, open?: (url: string) => WebSocket) {
    this.gameId = gameId;
    const events = {
      frame: (frame: ServerFrame) => this.#received(frame),
      link: (link: Link) => this.#linked(link),
      refused: (cause: string) => this.#refused(cause),
    };
    this.#socket = open ? new Socket(url, events, open) : new Socket(url, events);
  }

  get view(): SessionView {
    return this.#view;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hear of the player's own affairs: invitations, games that begin. */
  onAffair(listener: (frame: PlayerFrame) => void): () => void {
    this.#affairs.add(listener);
    return () => this.#affairs.delete(listener);
  }

  /** Hear that every affair comes from now on: some may have been missed before. */
  onFollowing(listener: () => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  start(): void {
    this.#socket.connect();
    this.#repeatTimer = setInterval(() => this.#repeatOld(), 1_000);
  }

  stop(): void {
    clearInterval(this.#repeatTimer);
    this.#socket.stop();
  }

  /** Connect afresh, for instance as the player that the page has just become. */
  restart(): void {
    this.#afresh = true;
    this.#socket.restart();
  }

  hurry(): void {
    this.#socket.hurry();
  }

  /** Ask again whether the game is there: an invitation may have become one. */
  lookAgain(): void {
    const v = this.#afresh ? 0 : (this.#view.game?.v ?? 0);
    this.#socket.send({ t: 'sub', game: this.gameId, v });
  }

  /** Play a move and show it at once; the server's refusal takes it back. */
  move(uci: string): void {
    const { game, pending } = this.#view;
    if (!game || pending || game.state.status !== 'started' || game.state.paused) return;
    const id = commandId();
    this.#set({ pending: { id, uci, ply: game.state.ply, at: this.time.at(Date.now()) }, notice: null });
    this.#send({ t: 'move', game: this.gameId, id, move: uci, ply: game.state.ply });
  }

  act(t: Act): void {
    this.#set({ notice: null });
    this.#send({ t, game: this.gameId, id: commandId() });
  }

  /** Claim a draw: for the position on the board, or for the one that `move` would make. Claimed moves are not played. */
  claim(move?: string): void {
    this.#set({ notice: null });
    this.#send({ t: 'claim', game: this.gameId, id: commandId(), ...(move ? { move } : {}) });
  }

  /** Take what waiting has earned: the win, or a draw of an opponent who has left. */
  win(draw = false): void {
    this.#set({ notice: null });
    this.#send({ t: 'win', game: this.gameId, id: commandId(), ...(draw ? { draw } : {}) });
  }

  giveTime(seconds: number): void {
    this.#set({ notice: null });
    this.#send({ t: 'givetime', game: this.gameId, id: commandId(), seconds });
  }

  setLevel(level: number): void {
    this.#set({ notice: null });
    this.#send({ t: 'level', game: this.gameId, id: commandId(), level });
  }

  /** Say something; false when there is no connection now. */
  say(room: Room, text: string): boolean {
    const id = commandId();
    this.#said.add(id);
    return this.#socket.send({ t: 'chat', game: this.gameId, id, text, room });
  }

  /** Lines that were said before this page was there. */
  heardBefore(room: Room, lines: readonly ChatLine[]): void {
    this.#set({ company: withLines(this.#view.company, room, lines) });
  }

  /** Tell something at the page's edge. */
  tellRefusal(text: string): void {
    this.#tell(text);
  }

  dismissNotice(): void {
    this.#set({ notice: null });
  }

  #send(command: Command): void {
    this.#outbox.add(command, Date.now());
    this.#socket.send(command);
  }

  #repeatOld(): void {
    if (this.#view.link !== 'open') return;
    for (const command of this.#outbox.due(Date.now())) this.#socket.send(command);
  }

  #linked(link: Link): void {
    if (link === 'lost') this.time.forget();
    this.#set({ link });
  }

  #refused(cause: string): void {
    if (cause === 'frameTooLarge') {
      this.#outbox.clear();
      this.#tell(say('play.tooLarge'), { pending: null });
    } else {
      this.#tell(say('play.signedOut'), { player: null });
    }
  }

  #received(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        this.time.learn(this.#socket.pingedAt, Date.now(), frame.now);
        this.#set({ player: frame.player });
        this.#resume();
        return;
      case 'p':
        this.time.learn(this.#socket.pingedAt, Date.now(), frame.now);
        return;
      case 'full':
        if (frame.game !== this.gameId) return;
        this.#asked = false;
        this.#afresh = false;
        // An answer that was overtaken by events is older than what is known.
        if (!this.#view.game || frame.v >= this.#view.game.v || frame.you !== this.#view.game.you) {
          this.#set({ game: fromFull(frame), missing: false });
        }
        this.#settle();
        return;
      case 'events':
        if (frame.game !== this.gameId) return;
        this.#asked = false;
        for (const event of frame.events) this.#happened(event);
        this.#settle();
        return;
      case 'event':
        if (frame.game !== this.gameId) return;
        this.#happened(frame);
        this.#settle();
        return;
      case 'ack':
        this.#outbox.answered(frame.id);
        this.#said.delete(frame.id);
        if (frame.game === this.gameId && frame.v !== undefined && frame.state) this.#apply(frame.v, frame.state);
        this.#settle();
        return;
      case 'nack':
        this.#nacked(frame.id, frame.code, frame.message);
        return;
      case 'gone':
        if (frame.game === this.gameId) this.#set({ missing: true });
        return;
      case 'player':
        if (!this.#view.game && frame.game?.id === this.gameId) this.lookAgain();
        for (const listener of this.#affairs) listener(frame);
        return;
      case 'following':
        for (const listener of this.#followers) listener();
        return;
      case 'chat':
      case 'hint':
      case 'presence':
      case 'absences':
        if (frame.game === this.gameId) this.#set({ company: afterFrame(this.#view.company, frame, Date.now()) });
        return;
      case 'error':
        if (frame.id) this.#nacked(frame.id, frame.code, frame.message);
        else this.#tell(frame.message);
        return;
    }
  }

  #resume(): void {
    this.#asked = false;
    this.lookAgain();
    for (const command of this.#outbox.all(Date.now())) this.#socket.send(command);
  }

  /** An event may be known by its answer already; only the event has the changed terms. */
  #happened(event: Omit<GameEvent, 't' | 'game'>): void {
    this.#apply(event.v, event.state, event.byComputer);
    const game = this.#view.game;
    if (game && event.info && event.v <= game.v) this.#set({ game: { ...game, info: event.info } });
  }

  #apply(v: number, state: GameState, byComputer = false): void {
    const game = this.#view.game;
    if (!game) return;
    const applied = applyVersion(game, v, state, byComputer);
    if (applied.kind === 'applied') this.#set({ game: applied.game });
    if (applied.kind === 'gap' && !this.#asked) {
      this.#asked = true;
      this.lookAgain();
    }
  }

  /** A pending move ends when the game has gone past it, by whatever frame. */
  #settle(): void {
    const { game, pending } = this.#view;
    if (game && needsLegal(game) && this.#wholeAskedAt !== game.v) {
      // The last state that came has no legal moves, because a newer one exists: nobody can play on without it.
      this.#wholeAskedAt = game.v;
      this.#socket.send({ t: 'sub', game: this.gameId, v: 0 });
    }
    if (game && pending && (game.state.ply > pending.ply || game.state.status !== 'started')) {
      this.#set({ pending: null });
    }
    // A present player plays: a computer that has kept the seat gives it back.
    const held = Boolean(game?.you && game.state.status === 'started' && game.state.seats?.[game.you]);
    if (held && !this.#seatAsked) this.act('seat');
    this.#seatAsked = held;
  }

  #nacked(id: string, code: string, message: string): void {
    if (this.#said.delete(id)) return this.#tell(message);
    if (code === 'unavailable') {
      setTimeout(() => this.#repeatOne(id), UNAVAILABLE_REPEAT_MS);
      return;
    }
    if (!this.#outbox.answered(id)) return;
    if (this.#view.pending?.id === id) this.#set({ pending: null });
    this.#tell(message);
    // The refusal may come from a position that this page has not seen.
    if (code === 'stale_version' || code === 'game_over') this.lookAgain();
  }

  #repeatOne(id: string): void {
    const command = this.#outbox.answered(id);
    if (command) this.#send(command);
  }

  #tell(text: string, also: Partial<SessionView> = {}): void {
    this.#set({ ...also, notice: { text, serial: (this.#view.notice?.serial ?? 0) + 1 } });
  }

  #set(change: Partial<SessionView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
