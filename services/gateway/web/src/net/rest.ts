// A REST call of the page: same-origin JSON, signed by the cookie. The calls themselves stand in the folders that use them.
import type { Operations } from './rest.gen.ts';

/** A refusal or a failure; `message` is the server's own, for people, and empty where it sent none. */
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

type Operation = keyof Operations;

type Named<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;

type Part<Key extends string, Value> = [Value] extends [never] ? unknown : object extends Value ? { [K in Key]?: Value } : { [K in Key]: Value };

/** What a request says: the names in its path, the fields of its body, and those of its query. */
type Said<O extends Operation> = Part<'of', [Named<O>] extends [never] ? never : Record<Named<O>, string>> &
  Part<'body', Operations[O] extends { body: infer Body } ? Body : never> &
  Part<'query', Operations[O] extends { query: infer Query } ? Query : never>;

interface AnySaid {
  of?: Readonly<Record<string, string>>;
  body?: object | string;
  query?: object;
}

/** Make a request, named as the server's description has it; the answer is what is declared there. */
export const call = <O extends Operation>(
  operation: O,
  ...[said]: object extends Said<O> ? [said?: Said<O>] : [said: Said<O>]
): Promise<Operations[O]['answer']> => send(operation, said ?? {}) as Promise<Operations[O]['answer']>;

/** The address of an operation. */
export function addressOf(operation: Operation, { of = {}, query = {} }: AnySaid): string {
  const path = operation.slice(operation.indexOf('/')).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(of[name] ?? ''));
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return asked ? `${path}?${asked}` : path;
}

async function send(operation: Operation, said: AnySaid): Promise<unknown> {
  const [method] = operation.split(' ');
  const { body } = said;
  const content = body instanceof Blob ? { type: PGN, body } : { type: 'application/json', body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(addressOf(operation, said), {
      method: method!,
      credentials: 'same-origin',
      headers: { Accept: 'application/json', ...(body ? { 'Content-Type': content.type } : {}) },
      ...(body ? { body: content.body } : {}),
    });
  } catch {
    throw new RestError(0, 'unreachable', '');
  }
  const value: unknown = await answer.json().catch(() => null);
  if (answer.ok) return value;
  const refusal = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const message = text(refusal['message']) || text(refusal['error']);
  throw new RestError(answer.status, text(refusal['code']), message, text(refusal['at']));
}
