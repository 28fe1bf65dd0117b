// Rule sets as the server knows them: six presets, and twelve fields that may be set one by one.

/** The fields and their values, without `chaturanga`. */
export const RULE_VALUES = {
  repetition: ['claimThreeAutomaticFive', 'automaticThree'],
  moveCount: ['claimFiftyAutomaticSeventyFive', 'automaticFifty'],
  deadPosition: ['exact', 'byMaterial'],
  fallenFlag: ['decidesAtOnce', 'opponentDecides'],
  winOnTime: ['possibleMate', 'moreThanBareKingNotDead', 'forcingMaterial', 'moreThanBareKing', 'moreThanOneMinor'],
  resignation: ['drawIfCannotWin', 'loss'],
  agreement: ['anyTime', 'afterBothMoved'],
  absentPlayer: ['clockRuns', 'opponentClaims', 'computerPlays'],
  lateCorrespondence: ['closedAtOnce', 'opponentClaims'],
  takeback: ['never', 'byConsent'],
  ratedDraw: ['halfPoint', 'leavesRatings'],
  rematch: ['coloursSwap', 'coloursStay', 'random'],
} as const;

export type RuleField = keyof typeof RULE_VALUES;
export const RULE_FIELDS = Object.keys(RULE_VALUES) as RuleField[];

/** The disputed points of Chaturanga; the first value of each is the default. */
export const CHATURANGA_VALUES = {
  stalemate: ['loses', 'wins', 'draws'],
  bareKing: ['none', 'winsAtOnce', 'winsUnlessBaredBack'],
  elephant: ['alfil', 'lameAlfil', 'oneStep', 'rookwiseLeap', 'cornerRookwiseLeap'],
  kings: ['facingOnE', 'facingOnD', 'crossed'],
  pawnBecomes: ['firz', 'filePiece', 'filePieceIfLost'],
} as const;

export type ChaturangaField = keyof typeof CHATURANGA_VALUES;
export const CHATURANGA_FIELDS = Object.keys(CHATURANGA_VALUES) as ChaturangaField[];

export type ChaturangaRules = { [F in ChaturangaField]: (typeof CHATURANGA_VALUES)[F][number] } & { kingLeap: boolean };
export type RuleSet = { [F in RuleField]: (typeof RULE_VALUES)[F][number] };
/** A rule set as the wire has it where no preset's name tells all of it. */
export type ShownRules = RuleSet & { chaturanga: ChaturangaRules };

export const CHATURANGA: ChaturangaRules = {
  stalemate: 'loses',
  bareKing: 'none',
  elephant: 'alfil',
  kings: 'facingOnE',
  pawnBecomes: 'firz',
  kingLeap: false,
};

const FIDE: RuleSet = {
  repetition: 'claimThreeAutomaticFive',
  moveCount: 'claimFiftyAutomaticSeventyFive',
  deadPosition: 'exact',
  fallenFlag: 'decidesAtOnce',
  winOnTime: 'possibleMate',
  resignation: 'drawIfCannotWin',
  agreement: 'afterBothMoved',
  absentPlayer: 'clockRuns',
  lateCorrespondence: 'closedAtOnce',
  takeback: 'never',
  ratedDraw: 'halfPoint',
  rematch: 'coloursSwap',
};

const EVERYDAY: RuleSet = {
  ...FIDE,
  repetition: 'automaticThree',
  moveCount: 'automaticFifty',
  deadPosition: 'byMaterial',
  winOnTime: 'forcingMaterial',
  resignation: 'loss',
  agreement: 'anyTime',
};

export const PRESETS = {
  fide: FIDE,
  claimed: {
    ...FIDE,
    deadPosition: 'byMaterial',
    winOnTime: 'moreThanBareKingNotDead',
    resignation: 'loss',
    agreement: 'anyTime',
  },
  everyday: EVERYDAY,
  automatic: {
    ...EVERYDAY,
    winOnTime: 'moreThanBareKing',
    resignation: 'drawIfCannotWin',
    agreement: 'afterBothMoved',
  },
  friendly: {
    ...EVERYDAY,
    fallenFlag: 'opponentDecides',
    winOnTime: 'moreThanOneMinor',
    lateCorrespondence: 'opponentClaims',
  },
  party: {
    ...EVERYDAY,
    winOnTime: 'moreThanBareKingNotDead',
    absentPlayer: 'computerPlays',
    ratedDraw: 'leavesRatings',
  },
} as const satisfies Record<string, RuleSet>;

export type Preset = keyof typeof PRESETS;
export const PRESET_KEYS = Object.keys(PRESETS) as Preset[];

/** Where a preset is explained. */
export const rulesHref = (preset: Preset): string => `/rules/ruleSets#${preset}`;

/** What a form holds: a preset, the fields changed in it, and the options of Chaturanga. */
export interface RulesChoice {
  preset: Preset;
  changed: Partial<RuleSet>;
  chaturanga: ChaturangaRules;
}

export const FIRST_RULES: RulesChoice = { preset: 'fide', changed: {}, chaturanga: CHATURANGA };

/** The choice with one field set; a value that the preset has anyway is no change. */
export function withRule(choice: RulesChoice, field: RuleField, value: string): RulesChoice {
  const { [field]: _, ...others } = choice.changed;
  const changed = PRESETS[choice.preset][field] === value ? others : { ...others, [field]: value };
  return { ...choice, changed };
}

const differs = (rules: ChaturangaRules): Partial<ChaturangaRules> =>
  Object.fromEntries(Object.entries(rules).filter(([field, value]) => CHATURANGA[field as keyof ChaturangaRules] !== value));

/** The field `ruleSet` of a request: the preset's name, or the preset with what is changed in it. */
export function ruleSetField(choice: RulesChoice, variant: string): Preset | object {
  const options = variant === 'chaturanga' ? differs(choice.chaturanga) : {};
  if (Object.keys(choice.changed).length + Object.keys(options).length === 0) return choice.preset;
  return { preset: choice.preset, ...choice.changed, ...(Object.keys(options).length ? { chaturanga: options } : {}) };
}

/** All fields of a rule set that came by name, or with its fields where the name does not tell them. */
export function rulesOf(name: string, shown?: ShownRules | null): ShownRules {
  if (shown) return shown;
  return { ...(name in PRESETS ? PRESETS[name as Preset] : FIDE), chaturanga: CHATURANGA };
}

/** The same again as a form's choice: the preset that is nearest, and what differs from it. */
export function choiceOf(rules: ShownRules): RulesChoice {
  const { chaturanga, ...fields } = rules;
  const changes = PRESET_KEYS.map((preset) => ({
    preset,
    changed: Object.fromEntries(
      RULE_FIELDS.filter((field) => PRESETS[preset][field] !== fields[field]).map((field) => [field, fields[field]]),
    ) as Partial<RuleSet>,
  }));
  const nearest = changes.reduce((best, next) =>
    Object.keys(next.changed).length < Object.keys(best.changed).length ? next : best,
  );
  return { ...nearest, chaturanga };
}

/** Whether draws by repetition or by the move count are claimed by players in this rule set. */
export const hasClaims = (rules: RuleSet): boolean =>
  rules.repetition === 'claimThreeAutomaticFive' || rules.moveCount === 'claimFiftyAutomaticSeventyFive';
