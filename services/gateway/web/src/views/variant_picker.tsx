// Which variant is played.
import type { VNode } from 'preact';
import { VARIANT_WORDS } from '../rule_words.ts';
import { VARIANTS, type Variant } from '../variants.ts';
import { Picker } from './picker.tsx';

const OPTIONS = VARIANTS.map((value) => ({ value, ...VARIANT_WORDS[value], href: `/rules/${value}` }));

export function VariantPicker({ value, onPick }: { value: Variant; onPick(value: Variant): void }): VNode {
  return <Picker label="Variant" name="variant" value={value} options={OPTIONS} onPick={onPick} />;
}
