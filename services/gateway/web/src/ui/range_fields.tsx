// Whose ratings fit a seek.
import type { VNode } from 'preact';
import { say } from '../words/say.ts';

/** As typed; empty means no bound. */
export interface Range {
  least: string;
  most: string;
}

/** The highest rating that can be asked for. */
const RATING_MAX = 4_000;

/** As the server reads it: `1500-1800`; empty for anybody. */
export const rangeText = ({ least, most }: Range): string =>
  least || most ? `${least || 0}-${most || RATING_MAX}` : '';

export function RangeFields({ value, onChange }: { value: Range; onChange(value: Range): void }): VNode {
  const field = (key: keyof Range, label: string): VNode => (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        name={`rating-${key}`}
        min="0"
        max={RATING_MAX}
        step="1"
        placeholder={say('ui.anyRating')}
        value={value[key]}
        onInput={(event) => onChange({ ...value, [key]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="row pair">
      {field('least', say('ui.ratingFrom'))}
      {field('most', say('ui.ratingTo'))}
    </div>
  );
}
