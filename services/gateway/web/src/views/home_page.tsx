// The first page: a new game, and the games that are going on.
import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { account, runningGames, type Account, type RunningGame } from '../rest.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { NewGame } from './new_game.tsx';
import { RunningGames } from './running_games.tsx';
import { SmallBoard } from './small_board.tsx';

export function HomePage(): VNode {
  const [me, setMe] = useState<Account | null | undefined>(undefined);
  const [games, setGames] = useState<RunningGame[]>([]);
  const [problem, setProblem] = useState('');

  const load = useCallback(async (): Promise<void> => {
    try {
      const found = await account();
      setMe(found);
      setGames(found ? await runningGames() : []);
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, []);

  useEffect(() => {
    document.title = 'Flagfall';
    void load();
    const shown = (): void => {
      if (document.visibilityState === 'visible') void load();
    };
    document.addEventListener('visibilitychange', shown);
    window.addEventListener('pageshow', shown);
    return () => {
      document.removeEventListener('visibilitychange', shown);
      window.removeEventListener('pageshow', shown);
    };
  }, [load]);

  return (
    <>
      <Header player={me && { name: me.username, guest: me.guest ?? false }} onSigned={() => void load()} />
      <main class="home">
        <NewGame me={me} onSigned={() => void load()} />
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {games.length ? <RunningGames games={games} /> : <Welcome />}
      </main>
      <Footer />
    </>
  );
}

/** Reti's study of 1921: a king that does two things at once. */
const STUDY = '7K/8/k1P5/7p/8/8/8/8 w - - 0 1';

function Welcome(): VNode {
  return (
    <section class="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">Sit down and play.</h2>
      <p>No account needed. Pick a level of the computer, or send a friend a link.</p>
      <SmallBoard fen={STUDY} variant="standard" orientation="white" lastMove={null} />
      <p class="caption">White to move and draw. Richard Réti, 1921.</p>
    </section>
  );
}
