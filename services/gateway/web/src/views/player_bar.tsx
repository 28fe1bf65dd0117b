// A player beside the board: name, what was captured, clock.
import type { ComponentChildren, VNode } from 'preact';
import { captures } from '../captured.ts';
import { ROLES, type Placement } from '../position.ts';
import { other, type Color, type GameInfo } from '../wire.ts';
import { personName, sideName } from '../wording.ts';
import { Piece } from './piece.tsx';

interface PlayerBarProps {
  info: GameInfo;
  color: Color;
  you: Color | null;
  turn: boolean;
  placement: Placement;
  children: ComponentChildren;
}

export function PlayerBar({ info, color, you, turn, placement, children }: PlayerBarProps): VNode {
  const person = info[color];
  const { taken, ahead } = captures(placement, color, info.initialFen ?? undefined);
  const spoken = taken.map((letter) => ROLES[letter]).join(', ');
  return (
    <section class={`player ${turn ? 'turn' : ''}`} aria-label={`${sideName(color)}: ${personName(person)}`}>
      <span class={`disc ${color}`} aria-hidden="true" />
      <div class="player-text">
        <div class="player-name" data-testid={`name-${color}`}>
          {person.title && <abbr class="title">{person.title}</abbr>}
          <span class="name">{personName(person)}</span>
          {you === color && <span class="you">you</span>}
        </div>
        <div class="taken" data-testid={`taken-${color}`} aria-label={spoken ? `Captured: ${spoken}` : 'Nothing captured'} role="img">
          {taken.map((letter, index) => (
            <span key={index} class={index > 0 && taken[index - 1] === letter ? 'same' : ''}>
              <Piece role={ROLES[letter]!} color={other(color)} />
            </span>
          ))}
          {ahead > 0 && <span class="ahead">+{ahead}</span>}
        </div>
      </div>
      {children}
    </section>
  );
}
