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
  type RulesChoice,
  type RuleSet,
  type ShownRules,
} from '../chess/rule_sets.ts';
import type { Variant } from '../chess/variants.ts';
import { say } from './say.ts';

export const variantName = (variant: Variant): string => say(`variants.${variant}`);

/** What a variant is about, in a line. */
export const variantLine = (variant: Variant): string => say(`variantLines.${variant}`);

export const presetName = (preset: Preset): string => say(`presets.${preset}`);

export const presetLine = (preset: Preset): string => say(`presetLines.${preset}`);

export const ruleLabel = (field: RuleField): string => say(`ruleFields.${field}`);

/** A field with one of its values: the name of the value's text. */
type RuleValue = { [F in RuleField]: `${F}_${RuleSet[F]}` }[RuleField];
type ChaturangaValue = { [F in ChaturangaField]: `${F}_${ChaturangaRules[F]}` }[ChaturangaField];

export function ruleValueText(field: RuleField, value: string): string {
  const name = `${field}_${value}` as RuleValue;
  return say(`ruleValues.${name}`);
}

export const chaturangaLabel = (field: ChaturangaField): string => say(`chaturangaFields.${field}`);

export function chaturangaValueText(field: ChaturangaField, value: string): string {
  const name = `${field}_${value}` as ChaturangaValue;
  return say(`chaturangaValues.${name}`);
}

/** The name of a preset, and whether something is changed in it. */
export function choiceName({ preset, changed }: Pick<RulesChoice, 'preset' | 'changed'>): string {
  const name = presetName(preset);
  return Object.keys(changed).length === 0 ? name : say('ruleSets.changed', { name });
}

/** The name of a game's rule set: a preset's, or the nearest one's with what is changed. */
export const ruleSetName = (rules: ShownRules): string => choiceName(choiceOf(rules));

/** What a rule set means, a sentence for each thing that a player should know before the first move. */
export function ruleSetLines(rules: ShownRules): string[] {
  const { preset, changed } = choiceOf(rules);
  const fields = RULE_FIELDS.filter((field) => field in changed);
  const lines = fields.map((field) =>
    say('ruleSets.fieldValue', { field: ruleLabel(field), value: ruleValueText(field, rules[field]) }),
  );
  return [presetLine(preset), ...lines];
}

/** The options of Chaturanga that are not the usual ones. */
export function chaturangaLines(rules: ChaturangaRules): string[] {
  const fields = CHATURANGA_FIELDS.filter((field) => rules[field] !== CHATURANGA[field]);
  const lines = fields.map((field) =>
    say('ruleSets.fieldValue', { field: chaturangaLabel(field), value: chaturangaValueText(field, rules[field]) }),
  );
  return rules.kingLeap ? [...lines, say('chaturangaFields.kingLeap')] : lines;
}
