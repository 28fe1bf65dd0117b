// A few exclusive choices side by side: radio buttons in the dress of one bar.
import type { ComponentChildren, VNode } from 'preact';

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: T;
  options: readonly { value: T; text: ComponentChildren }[];
  /** Laid out in a grid of three columns instead of one row. */
  grid?: boolean;
  /** Laid out in two columns. */
  two?: boolean;
  onPick(value: T): void;
}

export function Choice<T extends string>({ legend, name, value, options, grid, two, onPick }: ChoiceProps<T>): VNode {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class={['options', (grid || two) && 'grid', two && 'two'].filter(Boolean).join(' ')}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onPick(option.value)}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
