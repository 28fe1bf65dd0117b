// A REST call of the page: same-origin JSON, signed by the cookie. The calls themselves stand in the folders that use them.

/** A refusal or a failure; `message` is the server's own, for people. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field, or the place in a text, where the cause lies; empty when it has none. */
  readonly at: string;
  constructor(status: number, code: string, message: string, at = '') {
    super(message);
    this.status = status;
    this.code = code;
    this.at = at;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const PGN = 'application/x-chess-pgn';

export async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object | Blob): Promise<unknown> {
  const content = body instanceof Blob ? { type: PGN, body } : { type: 'application/json', body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { Accept: 'application/json', ...(body ? { 'Content-Type': content.type } : {}) },
      ...(body ? { body: content.body } : {}),
    });
  } catch {
    throw new RestError(0, 'unreachable', 'The server cannot be reached. Please try again in a moment.');
  }
  const value: unknown = await answer.json().catch(() => null);
  if (answer.ok) return value;
  const said = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const message = text(said['message']) || text(said['error']) || `The server answered with status ${answer.status}.`;
  throw new RestError(answer.status, text(said['code']), message, text(said['at']));
}
