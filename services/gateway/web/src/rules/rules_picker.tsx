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
  CHATURANGA_WORDS,
  chaturangaLines,
  KING_LEAP_WORDS,
  PRESET_WORDS,
  RULE_WORDS,
  VARIANT_WORDS,
} from '../words/rule_words.ts';

const OPTIONS = PRESET_KEYS.map((value) => ({ value, ...PRESET_WORDS[value], href: rulesHref(value) }));

interface RulesPickerProps {
  value: RulesChoice;
  onChange(value: RulesChoice): void;
}

export function RulesPicker({ value, onChange }: RulesPickerProps): VNode {
  const changes = Object.keys(value.changed).length;
  const name = PRESET_WORDS[value.preset].name;
  return (
    <Picker
      label="Rules"
      name="ruleSet"
      value={value.preset}
      options={OPTIONS}
      shown={changes ? `${name}, changed` : name}
      onPick={(preset) => onChange({ ...value, preset, changed: {} })}
    >
      <details class="more">
        <summary>More: each rule by itself</summary>
        <div class="rule-fields">
          {RULE_FIELDS.map((field) => (
            <Selected
              key={field}
              name={field}
              label={RULE_WORDS[field].label}
              values={RULE_VALUES[field]}
              words={RULE_WORDS[field].values}
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
        <span class="picker-label">Disputed points of Chaturanga</span>
        <strong>{changes ? `${changes} changed` : 'As usual'}</strong>
      </summary>
      <div class="rule-fields">
        {CHATURANGA_FIELDS.map((field) => (
          <Selected
            key={field}
            name={field}
            label={CHATURANGA_WORDS[field].label}
            values={CHATURANGA_VALUES[field]}
            words={CHATURANGA_WORDS[field].values}
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
          {KING_LEAP_WORDS}
        </label>
      </div>
      <div class="row">
        <a href="/rules/chaturanga" target="_blank">
          What is disputed, and why
        </a>
        {changes > 0 && (
          <button type="button" class="quiet" onClick={() => onChange(CHATURANGA)}>
            As usual
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
  words: Readonly<Record<string, string>>;
  value: string;
  onPick(value: string): void;
}

function Selected({ name, label, values, words, value, onPick }: SelectedProps): VNode {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {values.map((key) => (
          <option key={key} value={key}>
            {words[key]}
          </option>
        ))}
      </select>
    </label>
  );
}

const VARIANT_OPTIONS = VARIANTS.map((value) => ({ value, ...VARIANT_WORDS[value], href: `/rules/${value}` }));

/** Which variant is played. */
export function VariantPicker({ value, onPick }: { value: Variant; onPick(value: Variant): void }): VNode {
  return <Picker label="Variant" name="variant" value={value} options={VARIANT_OPTIONS} onPick={onPick} />;
}
