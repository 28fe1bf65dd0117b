// The pages of rules as the server has them: words and data, no markup.
import type { Departure, Option, RulesIndex, RulesPage, Said } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';

export type { Departure, Option, RulesIndex, RulesPage, Said };

/** The number that a source has in the page's list, which is in this order. */
export function sourceNumber(page: Pick<RulesPage, 'sources'>, id: string): number {
  const at = page.sources.findIndex((source) => source.id === id);
  if (at < 0) throw new Error(`The page has no source ${id}.`);
  return at + 1;
}

export const rulesIndex = (): Promise<RulesIndex> => call('GET /api/flagfall/rules');

/** One page of rules; null when there is none by this key. */
export const rulesPage = async (key: string): Promise<RulesPage | null> => {
  try {
    return await call('GET /api/flagfall/rules/{key}', { of: { key } });
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};
