// A party: its link, who is in it, by what it plays, and the next game.
import type { VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { account, accountOrGuest, type Account } from '../net/account.ts';
import { playerLink } from '../net/player_link.ts';
import type { Party } from '../net/wire.ts';
import { Footer } from '../ui/footer.tsx';
import { goTo } from '../ui/go.ts';
import { Header } from '../ui/header.tsx';
import { ShareLink } from '../ui/share_link.tsx';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { isHost, isMember, mayStart, newer } from './party.ts';
import { PartyMembers } from './party_members.tsx';
import { PartySettingsForm, PartyTerms } from './party_settings.tsx';
import { closeParty, joinParty, leaveParty, party as askParty, setParty, startParty } from './rest_party.ts';

/** The end of a game comes without a word: the page asks. */
const ASK_PERIOD_MS = 3_000;

export function PartyPage({ id }: { id: string }): VNode {
  const [me, setMe] = useState<Account | null | undefined>(undefined);
  const [party, setParty_] = useState<Party | null | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const link = useRef<{ restart(): void; stop(): void } | null>(null);

  const ask = useCallback(async (): Promise<void> => {
    try {
      const found = await askParty(id);
      setParty_((known) => found && newer(known ?? null, found));
    } catch {
      // The server is away for now; the next question comes soon.
    }
  }, [id]);
  const whoAmI = useCallback(async (): Promise<void> => {
    try {
      setMe(await account());
    } catch (error) {
      setProblem(problemText(error));
    }
  }, []);

  useEffect(() => {
    document.title = say('page.title', { title: say('party.title') });
    void ask();
    void whoAmI();
    link.current = playerLink({
      affair: ({ kind, party: heard, game }) => {
        if (kind === 'party' && heard?.id === id) setParty_((known) => newer(known ?? null, heard));
        if (kind === 'gameStart' && game?.info?.party === id) goTo(`/${game.id}`);
      },
      following: () => void ask(),
    });
    const timer = setInterval(() => document.visibilityState === 'visible' && void ask(), ASK_PERIOD_MS);
    return () => {
      clearInterval(timer);
      link.current?.stop();
    };
  }, [id]);

  /** Do something, as a guest if nobody is signed in; a refusal is shown. */
  const act = async (what: () => Promise<Party>): Promise<void> => {
    setProblem('');
    try {
      await accountOrGuest(me);
      if (!me) {
        await whoAmI();
        link.current?.restart();
      }
      const changed = await what();
      setParty_((known) => newer(known ?? null, changed));
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  const start = (): Promise<void> =>
    act(async () => {
      const begun = await startParty(id);
      if (begun.game && me && party?.next.includes(me.id)) goTo(`/${begun.game}`);
      return begun;
    });

  return (
    <>
      <Header
        player={me && { id: me.id, name: me.username, guest: me.guest ?? false }}
        onSigned={() => {
          void whoAmI();
          link.current?.restart();
        }}
      />
      <main class="narrow">
        {party === undefined && <div class="loading" aria-busy="true" />}
        {party === null && (
          <section class="card" data-testid="nothing">
            <h1>{say('party.nothing')}</h1>
            <p>{say('party.mistyped')}</p>
          </section>
        )}
        {party && (
          <section class="card party" data-testid="party" data-version={party.v}>
            <h1>{say('party.title')}</h1>
            {party.closed ? <p>{say('party.over')}</p> : <ShareLink label={say('party.link')} />}
            <Now party={party} me={me?.id} onStart={() => void start()} />
            <p class="problem" role="alert">
              {problem}
            </p>
            <PartyMembers party={party} me={me?.id} act={(what) => void act(what)} />
            {!party.closed && (
              <div class="row" role="group" aria-label={say('party.place')}>
                {!isMember(party, me?.id) && (
                  <>
                    <button type="button" class="primary" onClick={() => void act(() => joinParty(id, false))}>
                      {say('party.join')}
                    </button>
                    <button type="button" onClick={() => void act(() => joinParty(id, true))}>
                      {say('party.onlyWatch')}
                    </button>
                  </>
                )}
                {isMember(party, me?.id) && (
                  <button type="button" onClick={() => void act(() => leaveParty(id))}>
                    {say('party.leave')}
                  </button>
                )}
                {isHost(party, me?.id) && (
                  <button type="button" class="danger" onClick={() => void act(() => closeParty(id))}>
                    {say('party.end')}
                  </button>
                )}
              </div>
            )}
            {isHost(party, me?.id) && !party.closed ? (
              <PartySettingsForm party={party} onSave={(wanted) => void act(() => setParty(id, wanted))} />
            ) : (
              <PartyTerms settings={party.settings} />
            )}
          </section>
        )}
      </main>
      <Footer />
    </>
  );
}

interface NowProps {
  party: Party;
  me: string | undefined;
  onStart(): void;
}

/** The game that is on, or who plays next. */
function Now({ party, me, onStart }: NowProps): VNode | null {
  if (party.game) {
    return (
      <div class="offer whole">
        <span role="status">{say('party.gameOn')}</span>
        <a class="button primary" href={`/${party.game}`}>
          {say('party.goToBoard')}
        </a>
      </div>
    );
  }
  if (party.closed) return null;
  const [first, second] = party.next.map((id) => party.members.find((member) => member.id === id)?.name ?? id);
  return (
    <div class="offer whole">
      <span role="status" data-testid="next">
        {first && second ? say('party.next', { first, second }) : say('party.waitingForTwo')}
      </span>
      {mayStart(party, me) && (
        <button type="button" class="primary" onClick={onStart}>
          {say('party.start')}
        </button>
      )}
    </div>
  );
}
