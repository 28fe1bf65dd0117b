// How much time: presets, an own clock, days for each move, or none.
import type { VNode } from 'preact';
import { Choice } from '../ui/choice.tsx';
import { daysText } from '../words/wording.ts';
import { DAYS, INCREMENT_SECONDS_MAX, INITIAL_SECONDS, PRESETS, TURN_SECONDS, type TimeChoice } from './terms.ts';

const OPTIONS = [
  ...PRESETS.map(([minutes, increment]) => ({
    value: `${minutes}+${increment}`,
    text: `${minutes} + ${increment}`,
  })),
  { value: 'custom', text: 'Other' },
  { value: 'perMove', text: 'Per move' },
  { value: 'days', text: 'Days' },
  { value: 'untimed', text: 'Untimed' },
];

function initialText(seconds: number): string {
  return seconds % 60 ? `${seconds} seconds` : `${seconds / 60} minute${seconds === 60 ? '' : 's'}`;
}

export function TimeFields({ value, onChange }: { value: TimeChoice; onChange(value: TimeChoice): void }): VNode {
  return (
    <>
      <Choice
        legend="Time"
        name="time"
        grid
        value={value.kind}
        options={OPTIONS}
        onPick={(kind) => onChange({ ...value, kind })}
      />
      {value.kind === 'custom' && (
        <div class="row pair">
          <label class="field">
            <span>For each side</span>
            <select
              name="limit"
              value={value.seconds}
              onChange={(event) => onChange({ ...value, seconds: Number(event.currentTarget.value) })}
            >
              {INITIAL_SECONDS.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {initialText(seconds)}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>Seconds a move</span>
            <input
              type="number"
              name="increment"
              min="0"
              max={INCREMENT_SECONDS_MAX}
              step="1"
              required
              value={value.increment}
              onInput={(event) => onChange({ ...value, increment: Number(event.currentTarget.value) })}
            />
          </label>
        </div>
      )}
      {value.kind === 'perMove' && (
        <label class="field">
          <span>For each move, while both are there</span>
          <select
            name="perMove"
            value={value.turn}
            onChange={(event) => onChange({ ...value, turn: Number(event.currentTarget.value) })}
          >
            {TURN_SECONDS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds} seconds
              </option>
            ))}
          </select>
        </label>
      )}
      {value.kind === 'days' && (
        <label class="field">
          <span>For each move (needs an account)</span>
          <select
            name="days"
            value={value.days}
            onChange={(event) => onChange({ ...value, days: Number(event.currentTarget.value) })}
          >
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {daysText(days)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
