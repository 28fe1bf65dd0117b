// After the end: another game of the same terms, by agreement.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { other } from '../chess/color.ts';
import { askRematch, cancel, challenges, decline } from '../invite/challenges.ts';
import { isImported } from '../net/wire.ts';
import { goTo } from '../ui/go.ts';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { personName } from '../words/wording.ts';
import { levelOf, type Game } from './game.ts';
import type { GameSession } from './game_session.ts';

interface RematchProps {
  session: GameSession;
  game: Game;
  onProblem(text: string): void;
}

interface Asked {
  id: string;
  mine: boolean;
}

/** Where the next game is. */
const go = (gameId: string): void => goTo(`/${gameId}`);

/** The invitation to a rematch of this game that waits, if one does. */
async function waiting(gameId: string): Promise<Asked | null> {
  const found = await challenges();
  const of = (list: { id: string; rematchOf?: string }[]): string | undefined =>
    list.find((challenge) => challenge.rematchOf === gameId)?.id;
  const [incoming, own] = [of(found.in), of(found.out)];
  if (incoming) return { id: incoming, mine: false };
  return own ? { id: own, mine: true } : null;
}

export function Rematch({ session, game, onProblem }: RematchProps): VNode | null {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const { you, info } = game;

  useEffect(() => {
    if (!you || levelOf(game)) return;
    const ask = (): void => void waiting(info.id).then(setAsked, () => undefined);
    ask();
    const unfollow = session.onFollowing(ask);
    const deafen = session.onAffair((frame) => {
      const { challenge, kind } = frame;
      if (kind === 'gameStart' && frame.game?.info?.rematchOf === info.id) return go(frame.game.id);
      if (challenge?.rematchOf !== info.id) return;
      const mine = challenge.challenger?.id === info[you].id;
      if (kind === 'challenge') setSaid('');
      if (kind === 'challengeDeclined' && mine) setSaid(say('play.noRematch', { name: personName(info[other(you)]) }));
      setAsked(kind === 'challenge' ? { id: challenge.id, mine } : null);
    });
    return () => {
      unfollow();
      deafen();
    };
  }, [session, info.id, you]);

  if (!you || isImported(info)) return null;
  if (info.party) {
    return (
      <a class="button primary" href={`/party/${info.party}`}>
        {say('play.backToParty')}
      </a>
    );
  }

  const attempt = async (what: () => Promise<void>): Promise<void> => {
    setBusy(true);
    onProblem('');
    try {
      await what();
    } catch (error) {
      onProblem(problemText(error));
    }
    setBusy(false);
  };
  const ask = (): Promise<void> =>
    attempt(async () => {
      const answer = await askRematch(info.id);
      if (answer.game) return go(answer.game.gameId);
      if (answer.challenge) setAsked({ id: answer.challenge.id, mine: true });
    });

  if (asked && !asked.mine) {
    return (
      <div class="offer whole" role="group" aria-label={say('play.rematch')}>
        <span role="status">{say('play.wantsRematch', { name: personName(info[other(you)]) })}</span>
        <button type="button" class="primary" disabled={busy} onClick={() => void ask()}>
          {say('play.accept')}
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() =>
            void attempt(async () => {
              await decline(asked.id, 'generic');
              setAsked(null);
            })
          }
        >
          {say('play.decline')}
        </button>
      </div>
    );
  }
  if (asked) {
    return (
      <div class="offer whole" role="group" aria-label={say('play.yourRematch')}>
        <span role="status">{say('play.youAskRematch')}</span>
        <button
          type="button"
          disabled={busy}
          onClick={() =>
            void attempt(async () => {
              await cancel(asked.id);
              setAsked(null);
            })
          }
        >
          {say('play.withdraw')}
        </button>
      </div>
    );
  }
  return (
    <>
      {said && (
        <p class="whole" role="status">
          {said}
        </p>
      )}
      <button type="button" class="primary" disabled={busy} onClick={() => void ask()}>
        {say('play.rematch')}
      </button>
    </>
  );
}
