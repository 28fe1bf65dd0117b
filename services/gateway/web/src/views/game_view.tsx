// A game: board, players, moves, what may be done, how it ended.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isYourTurn, rulesOfGame, type Game } from '../game.ts';
import type { GameSession, SessionView } from '../game_session.ts';
import { moverAt, positionsOf } from '../history.ts';
import { legalList } from '../legal_list.ts';
import { afterMove, explodes, positionOf, type Position } from '../position.ts';
import { VARIANT_TRAITS, variantOf } from '../variants.ts';
import { other, type Color } from '../wire.ts';
import { ending, pageTitle, personName, sideName, spokenMove } from '../wording.ts';
import { Board, dropUci, type BoardPosition, type Grab } from './board.tsx';
import { ClockFace } from './clock_face.tsx';
import { Controls } from './controls.tsx';
import { GameTerms } from './game_terms.tsx';
import { FirstMoveNotice } from './first_move_notice.tsx';
import { Icon } from './icon.tsx';
import { MoveList } from './move_list.tsx';
import { PlayerBar } from './player_bar.tsx';
import { ResultBanner } from './result_banner.tsx';
import { useHand } from './use_hand.ts';

interface GameViewProps {
  session: GameSession;
  view: SessionView;
  game: Game;
  /** The colour at the bottom for those who do not play. */
  viewpoint: Color;
}

interface Shown extends BoardPosition {
  position: Position;
}

/** What is on the board at `ply`: the newest position with the pending move, or an earlier one to look at. */
function shownAt(game: Game, positions: readonly Position[], ply: number, pending: string | null): Shown {
  const variant = variantOf(game.info.variant);
  const { fen, turn, check, lastMove, legal, status } = game.state;
  const newest = game.moves.length;
  const blast = (before: Position | undefined, uci: string | undefined): string[] =>
    before && uci && VARIANT_TRAITS[variant].explodes ? explodes(before.placement, uci) : [];
  if (ply < newest) {
    const position = positions[ply]!;
    const [move, mover] = [game.moves[ply - 1], moverAt(game, ply)];
    return {
      position,
      placement: position.placement,
      turn: mover,
      check: move && /[+#]$/.test(move.san) ? mover : null,
      lastMove: move?.uci ?? null,
      blast: blast(positions[ply - 1], move?.uci),
      legal: [],
    };
  }
  const now = positionOf(fen);
  if (pending) {
    const position = afterMove(now, pending, turn, variant);
    const { placement } = position;
    return { position, placement, turn: other(turn), check: null, lastMove: pending, blast: blast(now, pending), legal: [] };
  }
  return {
    position: now,
    placement: now.placement,
    turn,
    check: check ? turn : null,
    lastMove: lastMove?.uci ?? null,
    blast: blast(positions[newest - 1], lastMove?.uci),
    legal: status === 'started' ? (legal ?? []) : [],
  };
}

function announcement(game: Game): string {
  const { state, info, you } = game;
  const mover = other(state.turn);
  const last = state.lastMove ? `${sideName(mover)}: ${spokenMove(state.lastMove.san, variantOf(info.variant))}.` : '';
  const end = ending(state);
  if (end) return `${last} ${end.headline}. ${end.reason}`;
  const turn = isYourTurn(game) ? 'Your move.' : `${sideName(state.turn)} to move.`;
  const offer = state.drawOffer && state.drawOffer !== you ? `${personName(info[state.drawOffer])} offers a draw.` : '';
  return `${last} ${turn} ${offer}`;
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
  const live = state.status === 'started' && shown === moves.length;

  const play = (uci: string): void => {
    if (!claiming) {
      session.move(uci);
      return;
    }
    // A move that a claim is made with is not played: the men go back.
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
    document.title = `${pageTitle(info, state, you)} · Flagfall`;
  }, [state.ply, state.status]);

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

  const label =
    `Chess board, ${sideName(bottom)} at the bottom. ` +
    (state.lastMove ? `Last move: ${spokenMove(state.lastMove.san, variant)}. ` : '') +
    (state.status === 'started' ? `${sideName(state.turn)} to move.` : '');

  return (
    <main
      class={['game', view.link !== 'open' && 'offline', oldMen && 'old-men', pockets && 'with-pockets'].filter(Boolean).join(' ')}
      data-testid="game"
      data-version={game.v}
      data-ply={state.ply}
      data-variant={variant}
    >
      <h1 class="unseen">
        {personName(info.white)} against {personName(info.black)}
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
          grab={grab}
          onMove={play}
          onHandEmpty={() => hand.pick(null)}
        />
        {bar(bottom)}
      </div>
      <aside class="side" aria-label="Game">
        <ResultBanner game={game} />
        <FirstMoveNotice game={game} time={session.time} />
        <Controls
          game={game}
          claiming={claiming}
          onClaiming={setClaiming}
          act={(kind) => session.act(kind)}
          claim={() => session.claim()}
        />
        <div class="card record">
          <GameTerms info={info} rules={rules} watching={!you} />
          <MoveList moves={moves} shown={shown} offset={(moves.length % 2 === 0) === (state.turn === 'white') ? 0 : 1} onShow={show} />
          <div class="browse" role="group" aria-label="Look at the moves">
            <button type="button" class="quiet" aria-label="Start" disabled={shown === 0} onClick={() => show(0)}>
              <Icon name="first" />
            </button>
            <button type="button" class="quiet" aria-label="Back" disabled={shown === 0} onClick={() => show(shown - 1)}>
              <Icon name="back" />
            </button>
            <button type="button" class="quiet" aria-label="Forward" disabled={shown === moves.length} onClick={() => show(shown + 1)}>
              <Icon name="forward" />
            </button>
            <button type="button" class="quiet" aria-label="Newest" disabled={shown === moves.length} onClick={() => show(moves.length)}>
              <Icon name="last" />
            </button>
            <button
              type="button"
              class="quiet"
              aria-label="Flip the board"
              aria-keyshortcuts="F"
              title="Flip the board (F)"
              onClick={() => setFlipped(!flipped)}
            >
              <Icon name="flip" />
            </button>
          </div>
        </div>
      </aside>
      <p class="unseen" aria-live="polite" data-testid="announcement">
        {announcement(game)}
      </p>
    </main>
  );
}
