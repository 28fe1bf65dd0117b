// A piece as a picture, in the style of the board's set.
import { h, type VNode } from 'preact';
import type { Color } from '../chess/color.ts';
import { ROLES, type Role } from '../chess/position.ts';

/** The board library draws `piece` elements; the same ones serve beside the board. */
export function Piece({ role, color }: { role: Role; color: Color }): VNode {
  return (
    <span class="man cg-wrap" aria-hidden="true">
      {h('piece', { class: `${role} ${color}` })}
    </span>
  );
}

const LETTERS = /([KQRBNP])/;

/** A SAN move with pictures for its letters. The letters stay in the text, for screen readers and for copying. */
export function Figurine({ san }: { san: string }): VNode {
  return (
    <>
      {san.split(LETTERS).map((part) => {
        const role = LETTERS.test(part) ? ROLES[part.toLowerCase()] : undefined;
        return role ? (
          <>
            <Piece role={role} color="white" />
            <span class="unseen">{part}</span>
          </>
        ) : (
          part
        );
      })}
    </>
  );
}
