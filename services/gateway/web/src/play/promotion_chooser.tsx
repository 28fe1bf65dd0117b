// Which piece a pawn becomes: a button for each that the rules offer, its letter as a key, Escape to take the move back.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Color } from '../chess/color.ts';
import { ROLES } from '../chess/position.ts';
import type { Variant } from '../chess/variants.ts';
import { Piece } from '../ui/piece.tsx';
import { say } from '../words/say.ts';
import { pieceName } from '../words/wording.ts';

/** From the edge of the board inwards. */
const ORDER = 'qnrbk';

interface ChooserProps {
  square: string;
  /** UCI moves that differ in the piece alone, which is their last letter. */
  moves: readonly string[];
  variant: Variant;
  color: Color;
  orientation: Color;
  /** Null when the choice was called off. */
  onChoose(uci: string | null): void;
}

export function PromotionChooser({ square, moves, variant, color, orientation, onChoose }: ChooserProps): VNode {
  const first = useRef<HTMLButtonElement>(null);
  // Before it is painted: a key pressed at once is meant for the chooser.
  useLayoutEffect(() => first.current?.focus(), []);

  const choices = [...moves].sort((a, b) => ORDER.indexOf(a.slice(4)) - ORDER.indexOf(b.slice(4)));
  const file = 'abcdefgh'.indexOf(square.charAt(0));
  const column = orientation === 'white' ? file : 7 - file;
  const fromTop = color === orientation;

  const pressed = (event: KeyboardEvent): void => {
    const chosen = choices.find((uci) => uci.slice(4) === event.key.toLowerCase());
    if (event.key === 'Escape') onChoose(null);
    else if (chosen) onChoose(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="chooser-veil" onClick={() => onChoose(null)} onKeyDown={pressed}>
      <div
        class={`chooser ${fromTop ? 'from-top' : 'from-bottom'}`}
        style={{ left: `${column * 12.5}%`, height: `${choices.length * 12.5}%` }}
        role="dialog"
        aria-modal="true"
        aria-label={say('play.promote')}
        data-testid="promotion"
      >
        {choices.map((uci, index) => (
          <button
            key={uci}
            ref={index === 0 ? first : null}
            type="button"
            aria-label={pieceName(uci.slice(4), variant)}
            onClick={(event) => {
              event.stopPropagation();
              onChoose(uci);
            }}
          >
            <Piece role={ROLES[uci.slice(4)]!} color={color} />
          </button>
        ))}
      </div>
    </div>
  );
}
