// Who has left the page, what can be claimed for it, what a computer plays meanwhile; and what came of the rating.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { other, type Color } from '../chess/color.ts';
import type { Act } from '../net/wire.ts';
import { say } from '../words/say.ts';
import { awayText, personName } from '../words/wording.ts';
import type { Company } from './company.ts';
import type { Game } from './game.ts';

interface NotesProps {
  game: Game;
  company: Company;
  act(kind: Act): void;
  win(draw?: boolean): void;
}

/** This page's time, moving on by seconds while `ticking`. */
function useNow(ticking: boolean): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  return Date.now();
}

/** What has happened besides the moves, while the game goes on. */
export function PresenceNotes({ game, company, act, win }: NotesProps): VNode | null {
  const { state, you, info } = game;
  const going = state.status === 'started';
  const gone = you && going && !state.paused && company.gone?.side === other(you) ? company.gone : null;
  const now = useNow(gone !== null);
  if (!going) return null;
  const claimIn = gone?.claimAt ? Math.max(0, Math.ceil((gone.claimAt - now) / 1000)) : null;
  return (
    <>
      {gone && you && (
        <div class="offer" role="group" aria-label={say('play.opponentAway')} data-testid="away">
          <span role="status">
            {say('play.hasLeft', { name: personName(info[other(you)]) })}
            {claimIn !== null && claimIn > 0 && ` ${say('play.claimIn', { seconds: claimIn })}`}
          </span>
          {claimIn === 0 && (
            <>
              <button type="button" class="primary" onClick={() => win()}>
                {say('play.claimWin')}
              </button>
              <button type="button" onClick={() => win(true)}>
                {say('play.takeDraw')}
              </button>
            </>
          )}
        </div>
      )}
      {state.claimable && you && state.turn !== you && (
        <div class="offer" role="group" aria-label={say('play.limitPassed')}>
          <span>{say('play.timePassed', { name: personName(info[other(you)]) })}</span>
          <button type="button" class="primary" onClick={() => win()}>
            {say('play.claimWin')}
          </button>
        </div>
      )}
      {(['white', 'black'] as const).map((side) => (
        <Seat key={side} game={game} side={side} act={act} />
      ))}
      {state.unrated && <p class="note">{say('play.notRated')}</p>}
      {state.withoutClock && <p class="note">{say('play.noClock')}</p>}
    </>
  );
}

function Seat({ game, side, act }: { game: Game; side: Color; act(kind: Act): void }): VNode | null {
  const { state, you, info } = game;
  if (!state.seats?.[side]) return null;
  if (side !== you) {
    return (
      <p class="note" data-testid="seat-note">
        {say('play.computerPlaysFor', { name: personName(info[side]) })}
      </p>
    );
  }
  return (
    <div class="offer" role="group" aria-label={say('play.yourSeat')}>
      <span>{say('play.computerPlaysForYou')}</span>
      <button type="button" class="primary" onClick={() => act('seat')}>
        {say('play.takeSeatBack')}
      </button>
    </div>
  );
}

/** At the end: how often each was away, without a judgement; and that the game did not count. */
export function Afterwards({ game, company }: { game: Game; company: Company }): VNode | null {
  const { info, state } = game;
  if (state.status === 'started') return null;
  const sides = (['white', 'black'] as const).filter((side) => (company.absences?.[side].times ?? 0) > 0);
  return (
    <>
      {sides.map((side) => (
        <p key={side} class="note" data-testid="absences">
          {awayText(personName(info[side]), company.absences![side])}
        </p>
      ))}
      {state.unrated && <p class="note">{say('play.notCounted')}</p>}
    </>
  );
}
