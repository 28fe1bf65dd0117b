// The server's clock, estimated from what it says in frames.

/** Estimates the server's time from pairs of (sent, received, server's now); the quickest answer counts most. */
export class ServerTime {
  #offset = 0;
  #bestTrip = Infinity;

  /** `now` is the server's time in an answer to something sent at `sentAt` and received at `receivedAt`. */
  learn(sentAt: number, receivedAt: number, now: number): void {
    const trip = Math.max(0, receivedAt - sentAt);
    // An old estimate loses its weight, since clocks drift and computers sleep.
    this.#bestTrip += 5;
    if (trip > this.#bestTrip) return;
    this.#bestTrip = trip;
    this.#offset = now + trip / 2 - receivedAt;
  }

  /** Forget what was learned: another server may answer next. */
  forget(): void {
    this.#bestTrip = Infinity;
  }

  /** Server time at the local time `at`. */
  at(at: number): number {
    return at + this.#offset;
  }
}
