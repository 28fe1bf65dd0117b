// The form for a new game: against the computer, or a link for a friend.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { accountOrGuest, makeLink, playComputer, RestError, type Account, type Terms } from '../rest.ts';
import { FIRST_RULES, ruleSetField } from '../rule_sets.ts';
import { FIRST_CHOICE, timeFields } from '../terms.ts';
import type { Variant } from '../variants.ts';
import type { Color } from '../wire.ts';
import { LEVELS } from '../wording.ts';
import { AccountDialog } from './account_dialog.tsx';
import { Choice } from './choice.tsx';
import { Icon } from './icon.tsx';
import { ChaturangaPicker, RulesPicker } from './rules_picker.tsx';
import { TimeFields } from './time_fields.tsx';
import { VariantPicker } from './variant_picker.tsx';

type Opponent = 'computer' | 'friend';

interface NewGameProps {
  me: Account | null | undefined;
  onSigned(): void;
}

export function NewGame({ me, onSigned }: NewGameProps): VNode {
  const [opponent, setOpponent] = useState<Opponent>('computer');
  const [level, setLevel] = useState(3);
  const [time, setTime] = useState(FIRST_CHOICE);
  const [color, setColor] = useState<Color | 'random'>('random');
  const [variant, setVariant] = useState<Variant>('standard');
  const [rules, setRules] = useState(FIRST_RULES);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [accountNeeded, setAccountNeeded] = useState(false);

  const create = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    const terms: Terms = { ...timeFields(time), color, variant, ruleSet: ruleSetField(rules, variant) };
    try {
      await accountOrGuest(me);
      const { id } = opponent === 'computer' ? await playComputer(level, terms) : await makeLink(terms);
      location.assign(`/${id}`);
    } catch (error) {
      setBusy(false);
      if (error instanceof RestError && error.code === 'account_needed') setAccountNeeded(true);
      else setProblem((error as Error).message);
    }
  };

  return (
    <form
      class="card new-game"
      aria-labelledby="new-game-title"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h1 id="new-game-title">New game</h1>
      <Choice
        legend="Opponent"
        name="opponent"
        value={opponent}
        onPick={(picked: Opponent) => setOpponent(picked)}
        options={[
          { value: 'computer', text: <><Icon name="computer" /> Computer</> },
          { value: 'friend', text: <><Icon name="link" /> A friend</> },
        ]}
      />
      {opponent === 'computer' && (
        <label class="field level">
          <span>
            Level <strong data-testid="level-name">{`${level} · ${LEVELS[level - 1]}`}</strong>
          </span>
          <input
            type="range"
            name="level"
            min="1"
            max="10"
            step="1"
            value={level}
            aria-valuetext={`${level}, ${LEVELS[level - 1]}`}
            onInput={(event) => setLevel(Number(event.currentTarget.value))}
          />
        </label>
      )}
      <div class="pickers">
        <VariantPicker value={variant} onPick={setVariant} />
        <RulesPicker value={rules} onChange={setRules} />
        {variant === 'chaturanga' && (
          <ChaturangaPicker value={rules.chaturanga} onChange={(chaturanga) => setRules({ ...rules, chaturanga })} />
        )}
      </div>
      <TimeFields value={time} onChange={setTime} />
      <Choice
        legend="Your colour"
        name="color"
        value={color}
        onPick={(picked: Color | 'random') => setColor(picked)}
        options={[
          { value: 'white', text: <><span class="disc white" aria-hidden="true" /> White</> },
          { value: 'random', text: <><span class="disc random" aria-hidden="true" /> Random</> },
          { value: 'black', text: <><span class="disc black" aria-hidden="true" /> Black</> },
        ]}
      />
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="primary large" disabled={busy}>
        {opponent === 'computer' ? 'Play' : 'Make a link'}
      </button>
      {accountNeeded && (
        <AccountDialog
          why="A correspondence game needs an account, so that you find it again from any device."
          onClose={() => setAccountNeeded(false)}
          onSigned={() => {
            setAccountNeeded(false);
            onSigned();
          }}
        />
      )}
    </form>
  );
}
