// A WebSocket whose other end is the test.
import type { ServerFrame } from '../../src/net/wire.ts';

export class FakeSocket {
  readyState = 0;
  readonly sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  opened(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  says(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  dies(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
  }
}

/** Opens fake sockets and keeps them, newest last. */
export class FakeNetwork {
  readonly sockets: FakeSocket[] = [];

  readonly open = (): WebSocket => {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket as unknown as WebSocket;
  };

  get newest(): FakeSocket {
    return this.sockets[this.sockets.length - 1]!;
  }
}
