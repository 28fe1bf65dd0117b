// A choice with a line for each option: closed it shows the one that is chosen, opened all of them.
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { say } from '../words/say.ts';

interface PickerProps<T extends string> {
  label: string;
  name: string;
  value: T;
  options: readonly { value: T; name: string; line: string; href: string }[];
  /** What the closed picker says instead of the chosen option's name. */
  shown?: string;
  /** What else stands in the opened picker. */
  children?: ComponentChildren;
  onPick(value: T): void;
}

export function Picker<T extends string>({ label, name, value, options, shown, children, onPick }: PickerProps<T>): VNode {
  const box = useRef<HTMLDetailsElement>(null);
  const chosen = options.find((option) => option.value === value);
  const close = (): void => {
    if (!box.current) return;
    box.current.open = false;
    box.current.querySelector('summary')?.focus();
  };
  return (
    <details
      class="picker"
      name="picker"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !box.current?.open) return;
        event.stopPropagation();
        close();
      }}
    >
      <summary>
        <span class="picker-label">{label}</span>
        <strong data-testid={`${name}-chosen`}>{shown ?? chosen?.name}</strong>
      </summary>
      <div class="picker-options" role="radiogroup" aria-label={label}>
        {options.map((option) => (
          <div key={option.value} class="picker-option">
            <label>
              <input
                type="radio"
                name={name}
                value={option.value}
                checked={value === option.value}
                onChange={() => onPick(option.value)}
                // The mouse chooses and is done; arrow keys go from one to the next.
                onClick={(event) => event.detail > 0 && !box.current?.querySelector('[open]') && close()}
              />
              <span>
                <strong>{option.name}</strong>
                <small>{option.line}</small>
              </span>
            </label>
            <a href={option.href} target="_blank" aria-label={say('ui.rulesOf', { name: option.name })}>
              {say('ui.rules')}
            </a>
          </div>
        ))}
      </div>
      {children}
    </details>
  );
}
