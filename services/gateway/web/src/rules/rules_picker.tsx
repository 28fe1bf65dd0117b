// The rule set: a preset, each of its fields by itself behind "more", and the options of Chaturanga.
import type { VNode } from 'preact';
import {
  CHATURANGA,
  CHATURANGA_FIELDS,
  CHATURANGA_VALUES,
  PRESET_KEYS,
  PRESETS,
  RULE_FIELDS,
  RULE_VALUES,
  rulesHref,
  withRule,
  type ChaturangaRules,
  type RulesChoice,
} from '../chess/rule_sets.ts';
import { VARIANTS, type Variant } from '../chess/variants.ts';
import { Picker } from '../ui/picker.tsx';
import {
  chaturangaLabel,
  chaturangaLines,
  chaturangaValueText,
  choiceName,
  presetLine,
  presetName,
  ruleLabel,
  ruleValueText,
  variantLine,
  variantName,
} from '../words/rule_words.ts';
import { say } from '../words/say.ts';

interface RulesPickerProps {
  value: RulesChoice;
  onChange(value: RulesChoice): void;
}

export function RulesPicker({ value, onChange }: RulesPickerProps): VNode {
  const options = PRESET_KEYS.map((key) => ({ value: key, name: presetName(key), line: presetLine(key), href: rulesHref(key) }));
  return (
    <Picker
      label={say('rules.rules')}
      name="ruleSet"
      value={value.preset}
      options={options}
      shown={choiceName(value)}
      onPick={(preset) => onChange({ ...value, preset, changed: {} })}
    >
      <details class="more">
        <summary>{say('rules.moreRules')}</summary>
        <div class="rule-fields">
          {RULE_FIELDS.map((field) => (
            <Selected
              key={field}
              name={field}
              label={ruleLabel(field)}
              values={RULE_VALUES[field]}
              textOf={(key) => ruleValueText(field, key)}
              value={value.changed[field] ?? PRESETS[value.preset][field]}
              onPick={(picked) => onChange(withRule(value, field, picked))}
            />
          ))}
        </div>
      </details>
    </Picker>
  );
}

interface ChaturangaPickerProps {
  value: ChaturangaRules;
  onChange(value: ChaturangaRules): void;
}

export function ChaturangaPicker({ value, onChange }: ChaturangaPickerProps): VNode {
  const changes = chaturangaLines(value).length;
  return (
    <details class="picker wide">
      <summary>
        <span class="picker-label">{say('rules.chaturanga')}</span>
        <strong>{changes ? say('rules.changes', { count: changes }) : say('rules.asUsual')}</strong>
      </summary>
      <div class="rule-fields">
        {CHATURANGA_FIELDS.map((field) => (
          <Selected
            key={field}
            name={field}
            label={chaturangaLabel(field)}
            values={CHATURANGA_VALUES[field]}
            textOf={(key) => chaturangaValueText(field, key)}
            value={value[field]}
            onPick={(picked) => onChange({ ...value, [field]: picked })}
          />
        ))}
        <label class="checked">
          <input
            type="checkbox"
            name="kingLeap"
            checked={value.kingLeap}
            onChange={(event) => onChange({ ...value, kingLeap: event.currentTarget.checked })}
          />
          {say('chaturangaFields.kingLeap')}
        </label>
      </div>
      <div class="row">
        <a href="/rules/chaturanga" target="_blank">
          {say('rules.whatIsDisputed')}
        </a>
        {changes > 0 && (
          <button type="button" class="quiet" onClick={() => onChange(CHATURANGA)}>
            {say('rules.asUsual')}
          </button>
        )}
      </div>
    </details>
  );
}

interface SelectedProps {
  name: string;
  label: string;
  values: readonly string[];
  textOf(value: string): string;
  value: string;
  onPick(value: string): void;
}

function Selected({ name, label, values, textOf, value, onPick }: SelectedProps): VNode {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {values.map((key) => (
          <option key={key} value={key}>
            {textOf(key)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Which variant is played. */
export function VariantPicker({ value, onPick }: { value: Variant; onPick(value: Variant): void }): VNode {
  const options = VARIANTS.map((key) => ({
    value: key,
    name: variantName(key),
    line: variantLine(key),
    href: `/rules/${key}`,
  }));
  return <Picker label={say('rules.variant')} name="variant" value={value} options={options} onPick={onPick} />;
}
