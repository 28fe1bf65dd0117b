// The page of one id: the game, or the invitation that may become it.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Color } from '../chess/color.ts';
import { showChallenge, type Challenge } from '../invite/challenges.ts';
import { Invitation } from '../invite/invitation.tsx';
import { goTo } from '../ui/go.ts';
import { Header } from '../ui/header.tsx';
import { say } from '../words/say.ts';
import type { GameSession, SessionView } from './game_session.ts';
import { GameView } from './game_view.tsx';
import { LinkState } from './link_state.tsx';

/** How often a waiting page asks whether its invitation was taken, besides being told. */
export const ASK_AGAIN_MS = 3_000;

interface GamePageProps {
  session: GameSession;
  viewpoint: Color;
}

function useSession(session: GameSession): SessionView {
  const [view, setView] = useState(session.view);
  useEffect(() => {
    const stop = session.subscribe(() => setView(session.view));
    setView(session.view);
    return () => void stop();
  }, [session]);
  return view;
}

export function GamePage({ session, viewpoint }: GamePageProps): VNode {
  const view = useSession(session);
  const player = view.player && { id: view.player.id, name: view.player.name, guest: view.player.guest ?? false };
  return (
    <>
      <Header player={player} onSigned={() => session.restart()} />
      {view.game ? (
        <GameView session={session} view={view} game={view.game} viewpoint={viewpoint} />
      ) : view.missing ? (
        <NotYetAGame session={session} view={view} />
      ) : (
        <main class="narrow loading" aria-busy="true" />
      )}
      <LinkState view={view} onDismiss={() => session.dismissNotice()} />
    </>
  );
}

function NotYetAGame({ session, view }: { session: GameSession; view: SessionView }): VNode | null {
  const [challenge, setChallenge] = useState<Challenge | null | undefined>(undefined);
  const [joined, setJoined] = useState(false);

  // Other terms came back instead of an answer.
  useEffect(
    () =>
      session.onAffair(({ kind, challenge: other }) => {
        if (kind === 'challenge' && other?.counterTo === session.gameId) goTo(`/${other.id}`);
      }),
    [session],
  );

  useEffect(() => {
    let live = true;
    const ask = async (): Promise<void> => {
      try {
        const found = await showChallenge(session.gameId);
        if (!live) return;
        setChallenge(found);
        if (found?.status === 'accepted') session.lookAgain();
      } catch {
        // The server is away for now; the next question comes soon.
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_AGAIN_MS);
    return () => {
      live = false;
      clearInterval(timer);
    };
  }, [session, view.player?.id]);

  if (challenge === undefined) return <main class="narrow loading" aria-busy="true" />;
  if (challenge === null) return <Nothing title={say('play.noSuchGame')}>{say('play.mistyped')}</Nothing>;
  if (challenge.status === 'accepted') return <main class="narrow loading" aria-busy="true" />;
  if (challenge.status !== 'created') {
    const declined = challenge.status === 'declined' && challenge.destUser;
    return (
      <Nothing title={say('play.invitationOver')}>
        {declined
          ? say('play.declined', { name: challenge.destUser!.name, reason: challenge.declineReason ?? '' })
          : say('play.calledOff')}
      </Nothing>
    );
  }
  const mine = challenge.challenger !== null && challenge.challenger?.id === view.player?.id;
  return (
    <Invitation
      challenge={challenge}
      player={view.player ?? null}
      waiting={mine || joined}
      onJoined={() => {
        setJoined(true);
        // The page may have become a guest just now: connect as that player.
        session.restart();
      }}
      onSigned={() => session.restart()}
    />
  );
}

function Nothing({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <main class="narrow">
      <section class="card" data-testid="nothing">
        <h1>{title}</h1>
        <p>{children}</p>
        <a class="button primary" href="/">
          {say('play.startGame')}
        </a>
      </section>
    </main>
  );
}
