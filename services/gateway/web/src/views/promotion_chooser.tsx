// Which piece a pawn becomes: four buttons on the file of the promotion, keys Q R B N, Escape to take the move back.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ROLES } from '../position.ts';
import type { Color } from '../wire.ts';
import { Piece } from './piece.tsx';

const CHOICES = ['q', 'n', 'r', 'b'] as const;

interface ChooserProps {
  square: string;
  color: Color;
  orientation: Color;
  /** Null when the choice was called off. */
  onChoose(role: string | null): void;
}

export function PromotionChooser({ square, color, orientation, onChoose }: ChooserProps): VNode {
  const first = useRef<HTMLButtonElement>(null);
  // Before it is painted: a key pressed at once is meant for the chooser.
  useLayoutEffect(() => first.current?.focus(), []);

  const file = 'abcdefgh'.indexOf(square.charAt(0));
  const column = orientation === 'white' ? file : 7 - file;
  const fromTop = color === orientation;

  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onChoose(null);
    else if (CHOICES.some((role) => role === event.key.toLowerCase())) onChoose(event.key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="chooser-veil" onClick={() => onChoose(null)} onKeyDown={pressed}>
      <div
        class={`chooser ${fromTop ? 'from-top' : 'from-bottom'}`}
        style={{ left: `${column * 12.5}%` }}
        role="dialog"
        aria-modal="true"
        aria-label="Promote the pawn to"
        data-testid="promotion"
      >
        {CHOICES.map((role, index) => (
          <button
            key={role}
            ref={index === 0 ? first : null}
            type="button"
            aria-label={ROLES[role]!}
            onClick={(event) => {
              event.stopPropagation();
              onChoose(role);
            }}
          >
            <Piece role={ROLES[role]!} color={color} />
          </button>
        ))}
      </div>
    </div>
  );
}
