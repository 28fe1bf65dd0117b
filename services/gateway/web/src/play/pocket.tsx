// The pieces that a player holds in hand. The own ones are buttons: dragged onto the board, or picked and then dropped.
import type { MouchEvent } from '@lichess-org/chessground/types';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Color } from '../chess/color.ts';
import { ROLES, type Pocket } from '../chess/position.ts';
import type { Variant } from '../chess/variants.ts';
import { Piece } from '../ui/piece.tsx';
import { say } from '../words/say.ts';
import { pieceName, piecesText } from '../words/wording.ts';

const ORDER = ['p', 'n', 'b', 'r', 'q'];

export interface PocketUse {
  /** Letters of the pieces that may be dropped now. */
  droppable: readonly string[];
  picked: string | null;
  pick(letter: string | null): void;
  grab(letter: string, event: MouchEvent): void;
}

interface PocketProps {
  pocket: Pocket;
  color: Color;
  variant: Variant;
  /** Null for the opponent's, and for those who watch. */
  use: PocketUse | null;
}

export function PocketView({ pocket, color, variant, use }: PocketProps): VNode {
  const held = ORDER.flatMap((letter): [string, number][] => {
    const count = pocket.get(letter) ?? 0;
    return count > 0 ? [[letter, count]] : [];
  });
  const label = held.length
    ? say('play.inHand', { side: color, pieces: piecesText(held, variant) })
    : say('play.emptyHand', { side: color });
  return (
    <div class="pocket" role="group" aria-label={label} data-testid={`pocket-${color}`}>
      {held.length === 0 && <span class="nothing-held">{say('play.nothingInHand')}</span>}
      {held.map(([letter, count]) =>
        use ? (
          <PocketButton key={letter} letter={letter} count={count} color={color} variant={variant} use={use} />
        ) : (
          <span key={letter} class="held" data-letter={letter}>
            <Piece role={ROLES[letter]!} color={color} />
            <Count count={count} />
          </span>
        ),
      )}
    </div>
  );
}

interface PocketButtonProps {
  letter: string;
  count: number;
  color: Color;
  variant: Variant;
  use: PocketUse;
}

function PocketButton({ letter, count, color, variant, use }: PocketButtonProps): VNode {
  const picked = use.picked === letter;
  const byHand = useRef(false);
  const pressed = (event: MouseEvent | TouchEvent): void => {
    byHand.current = true;
    use.pick(picked ? null : letter);
    if (!picked) use.grab(letter, event as MouchEvent);
  };
  return (
    <button
      type="button"
      class="held"
      data-letter={letter}
      disabled={!use.droppable.includes(letter)}
      aria-pressed={picked}
      aria-keyshortcuts={letter.toUpperCase()}
      aria-label={say('play.drop', { piece: pieceName(letter, variant), count })}
      title={say('play.dropKeys', { key: letter.toUpperCase() })}
      onMouseDown={(event) => event.button === 0 && pressed(event)}
      onTouchStart={pressed}
      onClick={() => {
        // A press of the mouse or a finger was seen already when it began.
        if (!byHand.current) use.pick(picked ? null : letter);
        byHand.current = false;
      }}
    >
      <Piece role={ROLES[letter]!} color={color} />
      <Count count={count} />
    </button>
  );
}

function Count({ count }: { count: number }): VNode {
  return (
    <span class="count" aria-hidden="true">
      {count}
    </span>
  );
}
