// By what a party plays: the host sets it, the others read it.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { choiceOf, ruleSetField, rulesOf } from '../chess/rule_sets.ts';
import { variantOf } from '../chess/variants.ts';
import { TURN_SECONDS } from '../invite/terms.ts';
import type { Party, PartySettings } from '../net/wire.ts';
import { ChaturangaPicker, RulesPicker, VariantPicker } from '../rules/rules_picker.tsx';
import { ruleSetName, variantName } from '../words/rule_words.ts';
import { say } from '../words/say.ts';
import { turnText } from './party.ts';
import type { WantedSettings } from './rest_party.ts';

export function PartyTerms({ settings }: { settings: PartySettings }): VNode {
  return (
    <p class="hint" data-testid="party-terms">
      {[
        variantName(variantOf(settings.variant)),
        ruleSetName(rulesOf(settings.ruleSet, settings.rules)),
        turnText(settings.turnLimit),
        say(settings.swapColors ? 'party.coloursSwap' : 'party.coloursStay'),
        say(settings.legalMarks ? 'party.marked' : 'party.notMarked'),
      ].join(' · ')}
    </p>
  );
}

interface PartySettingsFormProps {
  party: Party;
  onSave(settings: WantedSettings): void;
}

const formOf = (settings: PartySettings) => ({
  turnLimit: settings.turnLimit,
  legalMarks: settings.legalMarks,
  swapColors: settings.swapColors,
  variant: variantOf(settings.variant),
  rules: choiceOf(rulesOf(settings.ruleSet, settings.rules)),
});

export function PartySettingsForm({ party, onSave }: PartySettingsFormProps): VNode {
  const current = JSON.stringify(party.settings);
  const [form, setForm] = useState(() => formOf(party.settings));
  // What another window of the host has set.
  useEffect(() => setForm(formOf(party.settings)), [current]);
  const set = (change: Partial<typeof form>): void => setForm({ ...form, ...change });
  return (
    <form
      class="settings"
      aria-labelledby="settings-title"
      onSubmit={(event) => {
        event.preventDefault();
        const { rules, ...others } = form;
        onSave({ ...others, ruleSet: ruleSetField(rules, form.variant) });
      }}
    >
      <h2 id="settings-title">{say('party.houseRules')}</h2>
      <PartyTerms settings={party.settings} />
      <div class="pickers">
        <VariantPicker value={form.variant} onPick={(variant) => set({ variant })} />
        <RulesPicker value={form.rules} onChange={(rules) => set({ rules })} />
        {form.variant === 'chaturanga' && (
          <ChaturangaPicker
            value={form.rules.chaturanga}
            onChange={(chaturanga) => set({ rules: { ...form.rules, chaturanga } })}
          />
        )}
      </div>
      <label class="field">
        <span>{say('party.turnTime')}</span>
        <select value={form.turnLimit} onChange={(event) => set({ turnLimit: Number(event.currentTarget.value) })}>
          {[0, ...TURN_SECONDS].map((seconds) => (
            <option key={seconds} value={seconds}>
              {turnText(seconds)}
            </option>
          ))}
        </select>
      </label>
      <label class="checked">
        <input
          type="checkbox"
          checked={form.swapColors}
          onChange={(event) => set({ swapColors: event.currentTarget.checked })}
        />
        {say('party.swapColours')}
      </label>
      <label class="checked">
        <input
          type="checkbox"
          checked={form.legalMarks}
          onChange={(event) => set({ legalMarks: event.currentTarget.checked })}
        />
        {say('party.markMoves')}
      </label>
      <button type="submit">{say('party.save')}</button>
    </form>
  );
}
