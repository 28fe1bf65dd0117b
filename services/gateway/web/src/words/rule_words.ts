// Variants and rule sets in words: names, a line each, and what each field and value means.
import {
  CHATURANGA,
  CHATURANGA_FIELDS,
  choiceOf,
  RULE_FIELDS,
  type ChaturangaField,
  type ChaturangaRules,
  type Preset,
  type RuleField,
  type RuleSet,
  type ShownRules,
} from '../chess/rule_sets.ts';
import { VARIANT_TRAITS, type Variant } from '../chess/variants.ts';

export const VARIANT_WORDS: Readonly<Record<Variant, { name: string; line: string }>> = VARIANT_TRAITS;

export const PRESET_WORDS: Readonly<Record<Preset, { name: string; line: string }>> = {
  fide: { name: 'FIDE', line: 'The Laws to the letter: claims, and dead positions found exactly.' },
  claimed: { name: 'Claimed', line: 'Players claim threefold repetition and fifty moves.' },
  everyday: { name: 'Everyday', line: 'Draws come by themselves; to win on time takes mating material.' },
  automatic: { name: 'Automatic', line: 'Draws come by themselves; more than a bare king wins on time.' },
  friendly: { name: 'Friendly', line: 'When a flag falls, the opponent decides whether to play on.' },
  party: { name: 'Party', line: 'A computer sits in for who is away; draws leave ratings alone.' },
};

type Words<V extends string> = { label: string; values: Readonly<Record<V, string>> };

export const RULE_WORDS: { readonly [F in RuleField]: Words<RuleSet[F]> } = {
  repetition: {
    label: 'Repetition',
    values: {
      claimThreeAutomaticFive: 'Third time: may be claimed; fifth: a draw',
      automaticThree: 'Third time: a draw',
    },
  },
  moveCount: {
    label: 'Moves without capture or pawn',
    values: {
      claimFiftyAutomaticSeventyFive: '50: may be claimed; 75: a draw',
      automaticFifty: '50: a draw',
    },
  },
  deadPosition: {
    label: 'Nobody can mate any more',
    values: { exact: 'A draw, found exactly', byMaterial: 'A draw, judged by the men left' },
  },
  fallenFlag: {
    label: 'When time runs out',
    values: { decidesAtOnce: 'The game is over', opponentDecides: 'The opponent decides' },
  },
  winOnTime: {
    label: 'To win on time it takes',
    values: {
      possibleMate: 'Any possible mate',
      moreThanBareKingNotDead: 'More than a king, and no dead position',
      forcingMaterial: 'Men that can force mate',
      moreThanBareKing: 'More than a king',
      moreThanOneMinor: 'More than a king and one bishop or knight',
    },
  },
  resignation: {
    label: 'Resigning against one who cannot win',
    values: { drawIfCannotWin: 'A draw', loss: 'A loss' },
  },
  agreement: {
    label: 'A draw may be agreed',
    values: { anyTime: 'At any time', afterBothMoved: 'After both have moved' },
  },
  absentPlayer: {
    label: 'When a player is away',
    values: {
      clockRuns: 'The clock runs',
      opponentClaims: 'The opponent may claim after 60 s',
      computerPlays: 'A computer takes the seat',
    },
  },
  lateCorrespondence: {
    label: 'When the days for a move have passed',
    values: { closedAtOnce: 'The game is over', opponentClaims: 'The opponent may claim' },
  },
  takeback: {
    label: 'Taking a move back',
    values: { never: 'Never', byConsent: 'If both agree, unrated' },
  },
  ratedDraw: {
    label: 'A rated draw',
    values: { halfPoint: 'Half a point each', leavesRatings: 'Leaves ratings alone' },
  },
  rematch: {
    label: 'Colours in a rematch',
    values: { coloursSwap: 'Swap', coloursStay: 'Stay', random: 'By lot' },
  },
};

export const CHATURANGA_WORDS: { readonly [F in ChaturangaField]: Words<ChaturangaRules[F]> } = {
  stalemate: {
    label: 'Who is stalemated',
    values: { loses: 'Loses', wins: 'Wins', draws: 'Draws' },
  },
  bareKing: {
    label: 'Taking the last man but the king',
    values: {
      none: 'Means nothing',
      winsAtOnce: 'Wins at once',
      winsUnlessBaredBack: 'Wins, unless bared back',
    },
  },
  elephant: {
    label: 'The elephant goes',
    values: {
      alfil: 'Two squares diagonally, over men',
      lameAlfil: 'Two squares diagonally, not over men',
      oneStep: 'One square diagonally or forward',
      rookwiseLeap: 'Two squares straight, over men',
      cornerRookwiseLeap: 'The same, from the corners',
    },
  },
  kings: {
    label: 'The kings stand',
    values: { facingOnE: 'Both on e', facingOnD: 'Both on d', crossed: 'White on e, Black on d' },
  },
  pawnBecomes: {
    label: 'A pawn on the last rank becomes',
    values: {
      firz: 'A counsellor',
      filePiece: 'The piece of that file',
      filePieceIfLost: 'The same, only if lost',
    },
  },
};
export const KING_LEAP_WORDS = 'A king never checked may leap once like a knight';

/** Values of a list in words: `label: value`. */
const said = <V extends string>(words: Words<V>, value: V): string => `${words.label}: ${words.values[value]}`;

/** The name of a game's rule set: a preset's, or the nearest one's with what is changed. */
export function ruleSetName(rules: ShownRules): string {
  const { preset, changed } = choiceOf(rules);
  return Object.keys(changed).length === 0 ? PRESET_WORDS[preset].name : `${PRESET_WORDS[preset].name}, changed`;
}

/** What a rule set means, a sentence for each thing that a player should know before the first move. */
export function ruleSetLines(rules: ShownRules): string[] {
  const { preset, changed } = choiceOf(rules);
  const fields = RULE_FIELDS.filter((field) => field in changed);
  return [PRESET_WORDS[preset].line, ...fields.map((field) => said(RULE_WORDS[field] as Words<string>, rules[field]))];
}

/** The options of Chaturanga that are not the usual ones. */
export function chaturangaLines(rules: ChaturangaRules): string[] {
  const fields = CHATURANGA_FIELDS.filter((field) => rules[field] !== CHATURANGA[field]);
  return [
    ...fields.map((field) => said(CHATURANGA_WORDS[field] as Words<string>, rules[field])),
    ...(rules.kingLeap ? [KING_LEAP_WORDS] : []),
  ];
}
