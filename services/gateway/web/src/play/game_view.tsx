// A game: board, players, moves, what may be done, how it ended.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { other, type Color } from '../chess/color.ts';
import { legalList } from '../chess/legal_list.ts';
import { VARIANT_TRAITS, variantOf } from '../chess/variants.ts';
import type { Act } from '../net/wire.ts';
import { party } from '../party/rest_party.ts';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { gameTitle, personName, spokenMove } from '../words/wording.ts';
import { Actions, LevelChoice, TakebackOffer } from './actions.tsx';
import { Board, dropUci, type Grab } from './board.tsx';
import { Chat } from './chat.tsx';
import { ClockFace } from './clock_face.tsx';
import { ConditionalMoves } from './conditional_moves.tsx';
import { Controls } from './controls.tsx';
import { FirstMoveNotice } from './first_move_notice.tsx';
import { rulesOfGame, type Game } from './game.ts';
import type { GameSession, SessionView } from './game_session.ts';
import { GameTerms } from './game_terms.tsx';
import { positionsOf } from './history.ts';
import { MoveList } from './move_list.tsx';
import { PausePanel } from './pause_panel.tsx';
import { PlayerBar } from './player_bar.tsx';
import { PresenceNotes } from './presence_notes.tsx';
import { ResultBanner } from './result_banner.tsx';
import { announcement, shownAt } from './shown.ts';
import { useHand } from './use_hand.ts';

/** Whether the board marks where the chosen piece can go: a party may do without. */
function useLegalMarks(partyId: string | undefined): boolean {
  const [marks, setMarks] = useState(true);
  useEffect(() => {
    if (!partyId) return;
    // A party that cannot be asked now leaves the marks on.
    void party(partyId).then(
      (found) => setMarks(found?.settings.legalMarks ?? true),
      () => undefined,
    );
  }, [partyId]);
  return marks;
}

interface GameViewProps {
  session: GameSession;
  view: SessionView;
  game: Game;
  /** The colour at the bottom for those who do not play. */
  viewpoint: Color;
}

const NONE: readonly string[] = [];

export function GameView({ session, view, game, viewpoint }: GameViewProps): VNode {
  const { state, info, you, moves } = game;
  const [flipped, setFlipped] = useState(false);
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  const natural = you ?? viewpoint;
  const bottom = flipped ? other(natural) : natural;
  const [claiming, setClaiming] = useState(false);
  const [resets, setResets] = useState(0);
  const variant = variantOf(info.variant);
  const { oldMen, pockets } = VARIANT_TRAITS[variant];
  const rules = rulesOfGame(info);
  const positions = useMemo(() => positionsOf(game), [game.id, moves]);
  const shown = Math.min(lookedAt ?? moves.length, moves.length);
  const { position, ...board } = shownAt(game, positions, shown, view.pending?.uci ?? null);
  const live = state.status === 'started' && !state.paused && shown === moves.length;
  const legalMarks = useLegalMarks(info.party);
  const { hint } = view.company;
  const hinted = live && hint?.ply === state.ply && !view.pending ? hint : null;

  const act = (kind: Act): void => session.act(kind);
  const play = (uci: string): void => {
    if (!claiming) {
      session.move(uci);
      return;
    }
    // A move that a claim is made with is not played: the pieces go back.
    session.claim(uci);
    setClaiming(false);
    setResets(resets + 1);
  };
  const yours = live && board.turn === you ? board.legal : NONE;
  const { drops } = useMemo(() => legalList(yours, position.placement, variant), [yours.join(), variant]);
  const hand = useHand(drops, (letter, square) => play(dropUci(letter, square)));
  const grab = useRef<Grab>(() => undefined);

  const show = (ply: number): void => setLookedAt(ply >= moves.length ? null : Math.max(0, ply));

  useEffect(() => {
    document.title = say('page.title', { title: gameTitle(info, state, you) });
  }, [state.ply, state.status, Boolean(state.paused)]);

  // Before it is painted: the next key may follow at once.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog')) return;
      if (hand.press(event.key)) return event.preventDefault();
      if (event.key === 'Escape' && claiming) return setClaiming(false);
      if (event.key === 'f' || event.key === 'F') setFlipped((was) => !was);
      else if (event.key === 'ArrowLeft') show(shown - 1);
      else if (event.key === 'ArrowRight') show(shown + 1);
      else if (event.key === 'Home') show(0);
      else if (event.key === 'End') show(moves.length);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });

  const bar = (color: Color): VNode => {
    const pending = view.pending && state.turn === color ? view.pending.at : null;
    return (
      <PlayerBar
        info={info}
        state={state}
        color={color}
        you={you}
        turn={state.status === 'started' && state.turn === color}
        position={position}
        initial={positions[0]!.placement}
        pocketUse={
          color === you
            ? { droppable: [...drops.keys()], picked: hand.picked, pick: hand.pick, grab: (...man) => grab.current(...man) }
            : null
        }
      >
        <ClockFace state={state} color={color} control={info.timeControl} time={session.time} stoppedAt={pending} />
      </PlayerBar>
    );
  };

  /** A button that goes to a ply, if there is one that way. */
  const step = (icon: 'first' | 'back' | 'forward' | 'last', text: string, ply: number): VNode => {
    const stays = Math.min(Math.max(0, ply), moves.length) === shown;
    return (
      <button type="button" class="quiet" aria-label={text} disabled={stays} onClick={() => show(ply)}>
        <Icon name={icon} />
      </button>
    );
  };

  const label = [
    say('play.board', { side: bottom }),
    state.lastMove && say('play.lastMove', { move: spokenMove(state.lastMove.san, variant) }),
    state.status === 'started' && say('play.toMove', { side: state.turn }),
  ]
    .filter(Boolean)
    .join(' ');

  return (
    <main
      class={['game', view.link !== 'open' && 'offline', oldMen && 'old-men', pockets && 'with-pockets'].filter(Boolean).join(' ')}
      data-testid="game"
      data-version={game.v}
      data-ply={state.ply}
      data-legal={state.legal?.length ?? 0}
      data-variant={variant}
    >
      <h1 class="unseen">
        {say('play.against', { white: personName(info.white), black: personName(info.black) })}
      </h1>
      <div class="table">
        {bar(other(bottom))}
        <Board
          variant={variant}
          position={board}
          orientation={bottom}
          you={live ? you : null}
          hand={hand.picked}
          label={label}
          reset={resets}
          hint={hinted?.uci ?? null}
          legalMarks={legalMarks}
          grab={grab}
          onMove={play}
          onHandEmpty={() => hand.pick(null)}
        />
        {bar(bottom)}
      </div>
      <aside class="side" aria-label={say('play.game')}>
        <ResultBanner session={session} game={game} company={view.company} />
        <FirstMoveNotice game={game} time={session.time} />
        <PausePanel game={game} time={session.time} act={act} win={() => session.win()} />
        <PresenceNotes game={game} company={view.company} act={act} win={(draw) => session.win(draw)} />
        <TakebackOffer game={game} act={act} />
        <LevelChoice game={game} setLevel={(level) => session.setLevel(level)} />
        {hinted && (
          <p class="note" role="status" data-testid="hint">
            {say('play.hintIs', { move: spokenMove(hinted.san, variant) })}
          </p>
        )}
        <Controls
          game={game}
          claiming={claiming}
          onClaiming={setClaiming}
          act={act}
          claim={() => session.claim()}
        />
        <Actions game={game} act={act} giveTime={(seconds) => session.giveTime(seconds)} />
        <ConditionalMoves game={game} />
        <div class="card record">
          <GameTerms info={info} rules={rules} watching={!you} />
          <MoveList moves={moves} shown={shown} offset={(moves.length % 2 === 0) === (state.turn === 'white') ? 0 : 1} onShow={show} />
          <div class="browse" role="group" aria-label={say('play.look')}>
            {step('first', say('play.start'), 0)}
            {step('back', say('play.back'), shown - 1)}
            {step('forward', say('play.forward'), shown + 1)}
            {step('last', say('play.newest'), moves.length)}
            <button
              type="button"
              class="quiet"
              aria-label={say('play.flip')}
              aria-keyshortcuts="F"
              title={say('play.flipKey')}
              onClick={() => setFlipped(!flipped)}
            >
              <Icon name="flip" />
            </button>
          </div>
        </div>
        <Chat session={session} view={view} game={game} />
      </aside>
      <p class="unseen" aria-live="polite" data-testid="announcement">
        {announcement(game)}
      </p>
    </main>
  );
}
