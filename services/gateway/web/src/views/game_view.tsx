// A game: board, players, moves, what may be done, how it ended.
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isYourTurn, type Game } from '../game.ts';
import type { GameSession, SessionView } from '../game_session.ts';
import { afterMove, placementOf, START_FEN, type Placement } from '../position.ts';
import { other, type Color } from '../wire.ts';
import { ending, pageTitle, personName, ruleSetSentence, sideName, spokenMove, timeControlText } from '../wording.ts';
import { Board, type BoardPosition } from './board.tsx';
import { ClockFace } from './clock_face.tsx';
import { Controls } from './controls.tsx';
import { FirstMoveNotice } from './first_move_notice.tsx';
import { Icon } from './icon.tsx';
import { MoveList } from './move_list.tsx';
import { PlayerBar } from './player_bar.tsx';
import { ResultBanner } from './result_banner.tsx';

interface GameViewProps {
  session: GameSession;
  view: SessionView;
  game: Game;
  /** The colour at the bottom for those who do not play. */
  viewpoint: Color;
}

/** The placement after each ply, from the start on. */
function placements(game: Game): Placement[] {
  const found = [placementOf(game.info.initialFen ?? START_FEN)];
  for (const move of game.moves) found.push(afterMove(found[found.length - 1]!, move.uci));
  return found;
}

/** What is on the board at `ply`: the newest position with the pending move, or an earlier one to look at. */
function positionAt(game: Game, boards: readonly Placement[], ply: number, pending: string | null): BoardPosition {
  const newest = game.moves.length;
  const first = newest % 2 === 0 ? game.state.turn : other(game.state.turn);
  if (ply < newest) {
    const turn = ply % 2 === 0 ? first : other(first);
    const move = game.moves[ply - 1];
    const check = move && /[+#]$/.test(move.san) ? turn : null;
    return { placement: boards[ply]!, turn, check, lastMove: move?.uci ?? null, legal: [] };
  }
  const { fen, turn, check, lastMove, legal, status } = game.state;
  const placement = placementOf(fen);
  if (pending) {
    return { placement: afterMove(placement, pending), turn: other(turn), check: null, lastMove: pending, legal: [] };
  }
  return {
    placement,
    turn,
    check: check ? turn : null,
    lastMove: lastMove?.uci ?? null,
    legal: status === 'started' ? (legal ?? []) : [],
  };
}

function announcement(game: Game): string {
  const { state, info, you } = game;
  const mover = other(state.turn);
  const last = state.lastMove ? `${sideName(mover)}: ${spokenMove(state.lastMove.san)}.` : '';
  const end = ending(state);
  if (end) return `${last} ${end.headline}. ${end.reason}`;
  const turn = isYourTurn(game) ? 'Your move.' : `${sideName(state.turn)} to move.`;
  const offer = state.drawOffer && state.drawOffer !== you ? `${personName(info[state.drawOffer])} offers a draw.` : '';
  return `${last} ${turn} ${offer}`;
}

export function GameView({ session, view, game, viewpoint }: GameViewProps): VNode {
  const { state, info, you, moves } = game;
  const [flipped, setFlipped] = useState(false);
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  const natural = you ?? viewpoint;
  const bottom = flipped ? other(natural) : natural;
  const boards = useMemo(() => placements(game), [game.id, moves]);
  const shown = Math.min(lookedAt ?? moves.length, moves.length);
  const position = positionAt(game, boards, shown, view.pending?.uci ?? null);
  const live = state.status === 'started' && shown === moves.length;

  const show = (ply: number): void => setLookedAt(ply >= moves.length ? null : Math.max(0, ply));

  useEffect(() => {
    document.title = `${pageTitle(info, state, you)} · Flagfall`;
  }, [state.ply, state.status]);

  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog')) return;
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
        placement={position.placement}
      >
        <ClockFace state={state} color={color} control={info.timeControl} time={session.time} stoppedAt={pending} />
      </PlayerBar>
    );
  };

  const label =
    `Chess board, ${sideName(bottom)} at the bottom. ` +
    (state.lastMove ? `Last move: ${spokenMove(state.lastMove.san)}. ` : '') +
    (state.status === 'started' ? `${sideName(state.turn)} to move.` : '');

  return (
    <main class={`game ${view.link === 'open' ? '' : 'offline'}`} data-testid="game" data-version={game.v} data-ply={state.ply}>
      <h1 class="unseen">
        {personName(info.white)} against {personName(info.black)}
      </h1>
      <div class="table">
        {bar(other(bottom))}
        <Board
          position={position}
          orientation={bottom}
          you={live ? you : null}
          label={label}
          onMove={(uci) => session.move(uci)}
        />
        {bar(bottom)}
      </div>
      <aside class="side" aria-label="Game">
        <ResultBanner game={game} />
        <FirstMoveNotice game={game} time={session.time} />
        <Controls game={game} act={(kind) => session.act(kind)} />
        <div class="card record">
          <div class="terms" title={ruleSetSentence(info.ruleSet)}>
            <strong>{timeControlText(info.timeControl)}</strong>
            <span>{info.rated ? 'rated' : 'unrated'}</span>
            {!you && <span data-testid="spectator">you are watching</span>}
          </div>
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
