// The first page: a new game, the games that are going on, invitations, and who looks for an opponent.
import type { VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { challenges, type Challenge } from '../invite/challenges.ts';
import { account, accountOrGuest, type Account } from '../net/account.ts';
import { playerLink } from '../net/player_link.ts';
import { makeParty } from '../party/rest_party.ts';
import { Footer } from '../ui/footer.tsx';
import { goTo } from '../ui/go.ts';
import { Header } from '../ui/header.tsx';
import { SmallBoard } from '../ui/small_board.tsx';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { isLive } from '../words/wording.ts';
import { Invitations, Lobby } from './lobby.tsx';
import { NewGame } from './new_game.tsx';
import { runningGames, seeks, type OwnGame, type Seek } from './rest_lobby.ts';
import { RunningGames } from './running_games.tsx';

/** How often the lobby is looked at while the page is shown. */
const LOBBY_PERIOD_MS = 5_000;

interface Waiting {
  seeks: readonly Seek[];
  incoming: readonly Challenge[];
  own: readonly Challenge[];
}

const NOBODY: Waiting = { seeks: [], incoming: [], own: [] };

export function HomePage(): VNode {
  const [me, setMe] = useState<Account | null | undefined>(undefined);
  const [games, setGames] = useState<OwnGame[]>([]);
  const [waiting, setWaiting] = useState<Waiting>(NOBODY);
  const [problem, setProblem] = useState('');
  const link = useRef<{ restart(): void; stop(): void } | null>(null);
  const known = useRef<string | null>(null);

  const lobby = useCallback(async (): Promise<void> => {
    try {
      const [found, invitations] = await Promise.all([
        seeks(),
        known.current ? challenges() : Promise.resolve({ in: [], out: [] }),
      ]);
      setWaiting({ seeks: found, incoming: invitations.in, own: invitations.out });
    } catch {
      // The server is away for now; the list is looked at again soon.
    }
  }, []);

  const load = useCallback(async (): Promise<void> => {
    try {
      const found = await account();
      setMe(found);
      if ((found?.id ?? null) !== known.current) {
        known.current = found?.id ?? null;
        link.current?.restart();
      }
      setGames(found ? await runningGames() : []);
      setProblem('');
    } catch (error) {
      setProblem(problemText(error));
    }
    await lobby();
  }, [lobby]);

  useEffect(() => {
    document.title = say('page.name');
    void load();
    link.current = playerLink({
      affair: ({ kind, game }) => {
        // A player who seeks a live game, or was just accepted, goes to the game; other games are listed.
        if (kind === 'gameStart' && game?.info && isLive(game.info.timeControl)) return goTo(`/${game.id}`);
        void load();
      },
      following: () => void load(),
    });
    const timer = setInterval(() => document.visibilityState === 'visible' && void lobby(), LOBBY_PERIOD_MS);
    const shown = (): void => {
      if (document.visibilityState === 'visible') void load();
    };
    document.addEventListener('visibilitychange', shown);
    window.addEventListener('pageshow', shown);
    return () => {
      link.current?.stop();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', shown);
      window.removeEventListener('pageshow', shown);
    };
  }, [load, lobby]);

  const gather = async (): Promise<void> => {
    try {
      await accountOrGuest(me);
      goTo(`/party/${(await makeParty()).id}`);
    } catch (error) {
      setProblem(problemText(error));
    }
  };

  const urgent = waiting.incoming.length > 0 || games.some((game) => game.isMyTurn);
  const nothing = games.length + waiting.seeks.length + waiting.incoming.length + waiting.own.length === 0;
  return (
    <>
      <Header
        player={me && { id: me.id, name: me.username, guest: me.guest ?? false }}
        onSigned={() => void load()}
      />
      <main class="home">
        <NewGame me={me} onSigned={() => void load()} onLobby={() => void lobby()} />
        <div class={urgent ? 'beside urgent' : 'beside'}>
          {problem && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <Invitations
            me={me}
            incoming={waiting.incoming}
            own={waiting.own}
            onProblem={setProblem}
            onChange={() => void lobby()}
          />
          <RunningGames games={games} />
          <Lobby me={me} seeks={waiting.seeks} onProblem={setProblem} onChange={() => void lobby()} />
          {nothing && <Welcome />}
          <section class="card gather" aria-labelledby="gather-title">
            <h2 id="gather-title">{say('lobby.party')}</h2>
            <p class="hint">{say('lobby.partyHint')}</p>
            <button type="button" onClick={() => void gather()}>
              <span class="disc random" aria-hidden="true" /> {say('lobby.makeParty')}
            </button>
          </section>
        </div>
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
      <h2 id="welcome-title">{say('lobby.welcome')}</h2>
      <p>{say('lobby.welcomeText')}</p>
      <SmallBoard fen={STUDY} variant="standard" orientation="white" lastMove={null} />
      <p class="caption">{say('lobby.study')}</p>
    </section>
  );
}
