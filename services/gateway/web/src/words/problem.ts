// What went wrong with a request, in a sentence.
import { RestError } from '../net/rest.ts';
import { say } from './say.ts';

/** The server's own sentence, or one for an answer that has none. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (!(error instanceof RestError) || error.message) return error.message;
  return error.code === 'unreachable' ? say('problems.unreachable') : say('problems.status', { status: error.status });
}
