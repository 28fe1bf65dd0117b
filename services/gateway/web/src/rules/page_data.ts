// The pages of rules as the server has them: words and data, no markup.
import { call, RestError } from '../net/rest.ts';

export interface Said {
  name: string;
  text: string;
  /** Of the FIDE Laws. */
  article: string | null;
  /** Ids of the page's sources. */
  sources: readonly string[];
}

interface Value {
  value: string;
  text: string;
  source: string | null;
}

export interface OptionData {
  field: string;
  question: string;
  default: string;
  values: readonly Value[];
  /** Where the evidence runs out. */
  evidence: string;
}

export interface RuleData {
  field: string;
  name: string;
  text: string;
  article: string | null;
  /** The values that keep to the article. */
  law: readonly string[];
  values: readonly Value[];
}

export interface PresetData {
  key: string;
  title: string;
  text: string;
  values: Readonly<Record<string, string>>;
}

export interface Departure {
  field: string;
  article: string;
  law: string;
  keeps: readonly string[];
  departs: Readonly<Record<string, string>>;
}

export interface RulesPageData {
  key: string;
  kind: 'variant' | 'ruleSets';
  name: string;
  updated: string;
  summary: string;
  /** The key of the page that says what this one does not. */
  builtOn: string | null;
  reconstruction: boolean;
  idea: readonly string[];
  start: {
    fen: string;
    text: readonly string[];
    others: readonly { fen: string; when: Readonly<Record<string, string>>; text: string }[];
  } | null;
  men: readonly { letter: string; name: string; also: readonly string[]; value: number | null; moves: string }[];
  moves: readonly Said[];
  wins: readonly Said[];
  draws: readonly Said[];
  material: readonly Said[];
  time: readonly Said[];
  decisions: readonly Said[];
  options: readonly OptionData[];
  presets: readonly PresetData[];
  rules: readonly RuleData[];
  departures: readonly Departure[];
  duration: { minutes: number | null; text: string };
  glossary: readonly { term: string; text: string }[];
  faq: readonly { question: string; answer: string }[];
  sources: readonly {
    id: string;
    title: string;
    author: string;
    edition: string;
    language: string;
    settles: string;
  }[];
}

/** The number that a source has in the page's list, which is in this order. */
export function sourceNumber(page: Pick<RulesPageData, 'sources'>, id: string): number {
  const at = page.sources.findIndex((source) => source.id === id);
  if (at < 0) throw new Error(`The page has no source ${id}.`);
  return at + 1;
}

export interface RulesIndex {
  updated: string;
  pages: readonly { key: string; kind: 'variant' | 'ruleSets'; name: string; summary: string; reconstruction: boolean }[];
}

export const rulesIndex = (): Promise<RulesIndex> => call('GET', '/api/flagfall/rules') as Promise<RulesIndex>;

/** One page of rules; null when there is none by this key. */
export const rulesPage = async (key: string): Promise<RulesPageData | null> => {
  try {
    return (await call('GET', `/api/flagfall/rules/${key}`)) as RulesPageData;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};
