// The first page: a new game, and the games that are going on.
import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { account, runningGames, type Account, type RunningGame } from '../rest.ts';
import { Header } from './header.tsx';
import { NewGame } from './new_game.tsx';
import { RunningGames } from './running_games.tsx';

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
      <main class={`home ${games.length ? 'with-games' : ''}`}>
        <NewGame me={me} onSigned={() => void load()} />
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <RunningGames games={games} />
      </main>
    </>
  );
}
