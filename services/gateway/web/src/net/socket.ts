// A WebSocket that stays: it pings, notices silence, and comes back after a growing, random delay.
import { readFrame, type ClientFrame, type ServerFrame } from './wire.ts';

export const PING_AFTER_MS = 2_500;
export const PONG_WITHIN_MS = 9_000;
export const OPEN_WITHIN_MS = 10_000;
export const RETRY_MIN_MS = 200;
export const RETRY_MAX_MS = 5_000;
export const BACKOFF_AFTER_FLOOD_MS = 10_000;

export type Link = 'connecting' | 'open' | 'lost';

export interface SocketEvents {
  frame(frame: ServerFrame): void;
  /** The link's state changed. */
  link(link: Link): void;
  /** The server closed for a reason that needs somebody: `tokenInvalid` or `frameTooLarge`. */
  refused(cause: 'tokenInvalid' | 'frameTooLarge'): void;
}

/** How long to wait before attempt number `attempt` (0 is the first after a loss); `random` is in [0, 1). */
export function retryDelay(attempt: number, random: number): number {
  const ceiling = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(attempt + 1, 10));
  return Math.round(RETRY_MIN_MS + (ceiling - RETRY_MIN_MS) * random);
}

export class Socket {
  readonly #url: string;
  readonly #events: SocketEvents;
  readonly #open: (url: string) => WebSocket;
  #ws: WebSocket | null = null;
  #attempt = 0;
  #stopped = false;
  #pings = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the last ping went out, for the estimate of the server's time. */
  pingedAt = 0;

  constructor(url: string, events: SocketEvents, open = (url: string) => new WebSocket(url)) {
    this.#url = url;
    this.#events = events;
    this.#open = open;
  }

  connect(): void {
    clearTimeout(this.#retryTimer);
    if (this.#stopped || this.#ws) return;
    this.pingedAt = Date.now();
    const ws = this.#open(this.#url);
    this.#ws = ws;
    this.#expect(OPEN_WITHIN_MS);
    ws.onopen = () => {
      if (ws !== this.#ws) return;
      this.#heard();
      this.#expect(PONG_WITHIN_MS);
      this.#schedulePing();
    };
    ws.onmessage = (message) => {
      if (ws === this.#ws) this.#received(message);
    };
    ws.onclose = (event) => {
      if (ws === this.#ws) this.#lost(event.code);
    };
  }

  /** Send a frame; false when there is no open connection (the caller keeps what must not be lost). */
  send(frame: ClientFrame): boolean {
    if (this.#ws?.readyState !== 1) return false;
    this.#ws.send(JSON.stringify(frame));
    this.#schedulePing();
    return true;
  }

  /** Drop the connection and make a new one at once, as after signing in. */
  restart(): void {
    this.#drop();
    this.#attempt = 0;
    this.connect();
  }

  /** The page is shown again or the network is back: do not wait any longer. */
  hurry(): void {
    if (!this.#ws) this.connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
  }

  #received(message: MessageEvent): void {
    this.#heard();
    const frame = typeof message.data === 'string' ? readFrame(message.data) : null;
    if (!frame) return;
    if (frame.t === 'welcome') {
      this.#attempt = 0;
      this.#events.link('open');
    }
    this.#events.frame(frame);
  }

  #lost(code: number): void {
    this.#drop();
    this.#events.link('lost');
    if (code === 4001) this.#events.refused('tokenInvalid');
    if (code === 1009) this.#events.refused('frameTooLarge');
    if (this.#stopped || this.#ws) return;
    const delay = this.#delayAfter(code);
    this.#attempt += 1;
    this.#retryTimer = setTimeout(() => this.connect(), delay);
  }

  #delayAfter(code: number): number {
    if (code === 4029) return BACKOFF_AFTER_FLOOD_MS;
    // The server is being replaced: another one is there already, or will be soon.
    if (code === 1012 && this.#attempt === 0) return 0;
    return retryDelay(this.#attempt, Math.random());
  }

  #schedulePing(): void {
    clearTimeout(this.#pingTimer);
    this.#pingTimer = setTimeout(() => {
      this.pingedAt = Date.now();
      this.#pings += 1;
      if (this.send({ t: 'p', n: this.#pings })) this.#expect(PONG_WITHIN_MS);
    }, PING_AFTER_MS);
  }

  /** Something must arrive within `within` ms, or the connection counts as lost. A later wish does not put that off. */
  #expect(within: number): void {
    this.#silenceTimer ??= setTimeout(() => this.#lost(0), within);
  }

  #heard(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = undefined;
  }

  #drop(): void {
    clearTimeout(this.#pingTimer);
    this.#heard();
    const ws = this.#ws;
    this.#ws = null;
    ws?.close();
  }
}
