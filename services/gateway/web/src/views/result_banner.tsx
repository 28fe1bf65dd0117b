// How the game ended, and where to go from there.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { rulesOfGame, type Game } from '../game.ts';
import { pgnHref, playComputer, type Terms } from '../rest.ts';
import { choiceOf, ruleSetField } from '../rule_sets.ts';
import { variantOf } from '../variants.ts';
import { other } from '../wire.ts';
import { ending, PGN_LINK } from '../wording.ts';

/** The terms of this game again, colours swapped. */
function again(game: Game): Terms {
  const control = game.info.timeControl;
  const variant = variantOf(game.info.variant);
  const ruleSet = ruleSetField(choiceOf(rulesOfGame(game.info)), variant);
  const terms: Terms = { color: game.you ? other(game.you) : 'random', variant, ruleSet };
  if (control.type === 'clock') {
    terms['clock.limit'] = control.initial / 1000;
    terms['clock.increment'] = control.increment / 1000;
  }
  if (control.type === 'correspondence') terms.days = control.days;
  return terms;
}

export function ResultBanner({ game }: { game: Game }): VNode | null {
  const [problem, setProblem] = useState('');
  const end = ending(game.state);
  if (!end) return null;
  const { you, info, state } = game;
  const level = you && info[other(you)].level;
  const feeling = !you || !state.winner ? '' : state.winner === you ? 'won' : 'lost';

  const rematch = async (): Promise<void> => {
    try {
      const { id } = await playComputer(level || 1, again(game));
      location.assign(`/${id}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };

  return (
    <section class={`card result ${feeling}`} aria-label="Result" data-testid="result">
      <div class="result-line">
        <h2>{end.headline}</h2>
        {end.score && <span class="score">{end.score}</span>}
      </div>
      <p>{end.reason}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        {level ? (
          <button type="button" class="primary" onClick={() => void rematch()}>
            Play again
          </button>
        ) : null}
        <a class={`button ${level ? '' : 'primary'}`} href="/">
          New game
        </a>
        <a class="button" href={pgnHref(info.id)} download={`${info.id}.pgn`}>
          {PGN_LINK}
        </a>
      </div>
    </section>
  );
}
