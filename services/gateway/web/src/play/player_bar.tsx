// A player beside the board: name, what was captured or is in hand, checks given, clock.
import type { ComponentChildren, VNode } from 'preact';
import { captures } from '../chess/captured.ts';
import { other, type Color } from '../chess/color.ts';
import { CHECKS_TO_WIN, ROLES, type Placement, type Position } from '../chess/position.ts';
import { VARIANT_TRAITS, variantOf, type Variant } from '../chess/variants.ts';
import type { GameInfo, GameState, Person } from '../net/wire.ts';
import { Piece } from '../ui/piece.tsx';
import { listText } from '../words/language.ts';
import { say } from '../words/say.ts';
import { checksText, personName, pieceName, ratingText, signed } from '../words/wording.ts';
import { PocketView, type PocketUse } from './pocket.tsx';

interface PlayerBarProps {
  info: GameInfo;
  state: GameState;
  color: Color;
  you: Color | null;
  turn: boolean;
  position: Position;
  /** The pieces before the first move. */
  initial: Placement;
  pocketUse: PocketUse | null;
  children: ComponentChildren;
}

export function PlayerBar({ info, state, color, you, turn, position, initial, pocketUse, children }: PlayerBarProps): VNode {
  const person = info[color];
  const variant = variantOf(info.variant);
  const { pockets } = VARIANT_TRAITS[variant];
  return (
    <section class={`player ${turn ? 'turn' : ''}`} aria-label={say('play.seatOf', { side: color, name: personName(person) })}>
      <span class={`disc ${color}`} aria-hidden="true" />
      <div class="player-text">
        <div class="player-name" data-testid={`name-${color}`}>
          {person.title && <abbr class="title">{person.title}</abbr>}
          <PersonLink person={person} />
          <Rating person={person} diff={state.ratingDiff?.[color] ?? null} color={color} />
          {you === color && <span class="you">{say('play.you')}</span>}
          {position.checks && <Checks color={color} given={position.checks[color]} />}
        </div>
        {!pockets && <Taken color={color} variant={variant} placement={position.placement} initial={initial} />}
      </div>
      {pockets && <PocketView pocket={position.pockets[color]} color={color} variant={variant} use={pocketUse} />}
      {children}
    </section>
  );
}

/** A name; of people that have a page here a link to it. */
export function PersonLink({ person }: { person: Person }): VNode {
  if (!person.id || person.level) return <span class="name">{personName(person)}</span>;
  return (
    <a class="name" href={`/player/${encodeURIComponent(person.id)}`}>
      {personName(person)}
    </a>
  );
}

/** The rating at the beginning, and what the end changed. */
function Rating({ person, diff, color }: { person: Person; diff: number | null; color: Color }): VNode | null {
  const rating = ratingText(person);
  if (!rating && diff === null) return null;
  return (
    <span class="rating" data-testid={`rating-${color}`}>
      {rating && <span title={say(person.provisional ? 'play.provisionalRating' : 'play.rating')}>{rating}</span>}
      {diff !== null && <span class={`diff ${diff < 0 ? 'down' : 'up'}`}> {signed(diff)}</span>}
    </span>
  );
}

/** Three pips, one filled for each check given. */
function Checks({ color, given }: { color: Color; given: number }): VNode {
  return (
    <span class="checks" role="img" aria-label={checksText(given)} title={checksText(given)} data-testid={`checks-${color}`}>
      {Array.from({ length: CHECKS_TO_WIN }, (_, index) => (
        <span key={index} class={index < given ? 'pip given' : 'pip'} />
      ))}
    </span>
  );
}

interface TakenProps {
  color: Color;
  variant: Variant;
  placement: Placement;
  initial: Placement;
}

function Taken({ color, variant, placement, initial }: TakenProps): VNode {
  const { taken, ahead } = captures(placement, color, initial);
  const pieces = listText(taken.map((letter) => pieceName(letter, variant)));
  const label = pieces ? say('play.captured', { pieces }) : say('play.nothingCaptured');
  return (
    <div class="taken" data-testid={`taken-${color}`} aria-label={label} role="img">
      {taken.map((letter, index) => (
        <span key={index} class={index > 0 && taken[index - 1] === letter ? 'same' : ''}>
          <Piece role={ROLES[letter]!} color={other(color)} />
        </span>
      ))}
      {/* Nobody counts in pawns what a firz and an elephant are worth compared with a rook. */}
      {ahead > 0 && !VARIANT_TRAITS[variant].oldMen && <span class="ahead">+{ahead}</span>}
    </div>
  );
}
