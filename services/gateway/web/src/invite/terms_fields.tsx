// The fields of a game's terms: variant, rules, time, colour, and whether it is rated.
import type { VNode } from 'preact';
import type { Color } from '../chess/color.ts';
import { ChaturangaPicker, RulesPicker, VariantPicker } from '../rules/rules_picker.tsx';
import { Choice } from '../ui/choice.tsx';
import { say } from '../words/say.ts';
import { sideName } from '../words/wording.ts';
import type { TermsChoice } from './terms.ts';
import { TimeFields } from './time_fields.tsx';

function Disc({ of, text }: { of: Color | 'random'; text: string }): VNode {
  return (
    <>
      <span class={`disc ${of}`} aria-hidden="true" /> {text}
    </>
  );
}

interface TermsFieldsProps {
  value: TermsChoice;
  /** Whether it can be asked for a rated game: accounts against people. */
  mayRate: boolean;
  onChange(value: TermsChoice): void;
}

export function TermsFields({ value, mayRate, onChange }: TermsFieldsProps): VNode {
  const set = (change: Partial<TermsChoice>): void => onChange({ ...value, ...change });
  const { variant, rules, time, color, rated } = value;
  return (
    <>
      <div class="pickers">
        <VariantPicker value={variant} onPick={(picked) => set({ variant: picked })} />
        <RulesPicker value={rules} onChange={(changed) => set({ rules: changed })} />
        {variant === 'chaturanga' && (
          <ChaturangaPicker value={rules.chaturanga} onChange={(chaturanga) => set({ rules: { ...rules, chaturanga } })} />
        )}
      </div>
      <TimeFields value={time} onChange={(changed) => set({ time: changed })} />
      <Choice
        legend={say('invite.yourColour')}
        name="color"
        value={color}
        onPick={(picked: Color | 'random') => set({ color: picked })}
        options={[
          { value: 'white', text: <Disc of="white" text={sideName('white')} /> },
          { value: 'random', text: <Disc of="random" text={say('invite.random')} /> },
          { value: 'black', text: <Disc of="black" text={sideName('black')} /> },
        ]}
      />
      {mayRate && (
        <label class="checked">
          <input
            type="checkbox"
            name="rated"
            checked={rated}
            onChange={(event) => set({ rated: event.currentTarget.checked })}
          />
          {say('invite.rated')}
        </label>
      )}
    </>
  );
}
