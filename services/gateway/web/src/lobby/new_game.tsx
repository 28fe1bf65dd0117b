// The form for a new game: against the computer, by a link, a person by name, or an opponent from the lobby.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { challengePlayer, makeLink, playComputer } from '../invite/challenges.ts';
import { FIRST_TERMS, termsOf, type TermsChoice } from '../invite/terms.ts';
import { TermsFields } from '../invite/terms_fields.tsx';
import { accountOrGuest, type Account } from '../net/account.ts';
import { RestError } from '../net/rest.ts';
import { AccountDialog } from '../ui/account_dialog.tsx';
import { Choice } from '../ui/choice.tsx';
import { goTo } from '../ui/go.ts';
import { Icon } from '../ui/icon.tsx';
import { RangeFields, rangeText, type Range } from '../ui/range_fields.tsx';
import { problemText } from '../words/problem.ts';
import { say, sayRich } from '../words/say.ts';
import { levelName, levelText } from '../words/wording.ts';
import { seek, seekFields } from './rest_lobby.ts';

type Opponent = 'computer' | 'friend' | 'person' | 'anyone';

const GO = {
  computer: 'lobby.goComputer',
  friend: 'lobby.goFriend',
  person: 'lobby.goPerson',
  anyone: 'lobby.goAnyone',
} as const;

interface NewGameProps {
  me: Account | null | undefined;
  /** Somebody signed in here, or became a guest. */
  onSigned(): void;
  /** Something was changed in the lobby. */
  onLobby(): void;
}

export function NewGame({ me, onSigned, onLobby }: NewGameProps): VNode {
  const [opponent, setOpponent] = useState<Opponent>('computer');
  const [level, setLevel] = useState(3);
  const [name, setName] = useState('');
  const [range, setRange] = useState<Range>({ least: '', most: '' });
  const [chosen, setChosen] = useState<TermsChoice>(FIRST_TERMS);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [accountNeeded, setAccountNeeded] = useState(false);
  const looking = useRef<AbortController | null>(null);
  const [isLooking, setLooking] = useState(false);
  const hasAccount = Boolean(me && !me.guest);
  const mayRate = hasAccount && opponent !== 'computer';

  useEffect(() => () => looking.current?.abort(), []);

  /** Look for an opponent; a frame reports when a game begins. */
  const look = async (choice: TermsChoice): Promise<void> => {
    const until = new AbortController();
    looking.current = until;
    const waits = choice.time.kind !== 'days';
    setLooking(waits);
    onSigned();
    const asked = seek(seekFields(termsOf(choice), hasAccount ? rangeText(range) : ''), until.signal);
    setTimeout(onLobby, 500);
    try {
      const { game } = await asked;
      if (game) goTo(`/${game}`);
    } catch (error) {
      if (!until.signal.aborted) throw error;
    } finally {
      setLooking(false);
      onLobby();
    }
  };

  const create = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    const choice = { ...chosen, rated: chosen.rated && mayRate };
    const terms = termsOf(choice);
    try {
      await accountOrGuest(me);
      if (opponent === 'anyone') {
        await look(choice);
        setBusy(false);
        return;
      }
      const made =
        opponent === 'computer'
          ? playComputer(level, terms)
          : opponent === 'friend'
            ? makeLink(terms)
            : challengePlayer(name.trim(), terms);
      goTo(`/${(await made).id}`);
    } catch (error) {
      setBusy(false);
      if (error instanceof RestError && error.code === 'account_needed' && !hasAccount) setAccountNeeded(true);
      else setProblem(problemText(error));
    }
  };

  return (
    <form
      class="card new-game"
      aria-labelledby="new-game-title"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h1 id="new-game-title">{say('lobby.newGame')}</h1>
      <Choice
        legend={say('lobby.opponent')}
        name="opponent"
        two
        value={opponent}
        onPick={(picked: Opponent) => setOpponent(picked)}
        options={[
          { value: 'computer', text: <><Icon name="computer" /> {say('lobby.computer')}</> },
          { value: 'friend', text: <><Icon name="link" /> {say('lobby.friend')}</> },
          { value: 'person', text: <><Icon name="person" /> {say('lobby.person')}</> },
          { value: 'anyone', text: <><Icon name="people" /> {say('lobby.anyone')}</> },
        ]}
      />
      {opponent === 'computer' && (
        <label class="field level">
          <span>
            {sayRich('lobby.level', {
              level: levelText(level),
              strong: (parts) => <strong data-testid="level-name">{parts}</strong>,
            })}
          </span>
          <input
            type="range"
            name="level"
            min="1"
            max="10"
            step="1"
            value={level}
            aria-valuetext={say('lobby.spokenLevel', { level, name: levelName(level) })}
            onInput={(event) => setLevel(Number(event.currentTarget.value))}
          />
        </label>
      )}
      {opponent === 'person' && (
        <label class="field">
          <span>{say('lobby.who')}</span>
          <input
            name="opponent-name"
            required
            maxLength={40}
            spellcheck={false}
            autoComplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
      )}
      <TermsFields value={chosen} mayRate={mayRate} onChange={setChosen} />
      {opponent === 'anyone' && hasAccount && <RangeFields value={range} onChange={setRange} />}
      <p class="problem" role="alert">
        {problem}
      </p>
      {isLooking ? (
        <div class="row" data-testid="looking">
          <p class="pulse" role="status">
            <span class="dot" aria-hidden="true" /> {say('lobby.looking')}
          </p>
          <button type="button" onClick={() => looking.current?.abort()}>
            {say('lobby.stopLooking')}
          </button>
        </div>
      ) : (
        <button type="submit" class="primary large" disabled={busy}>
          {say(GO[opponent])}
        </button>
      )}
      {accountNeeded && (
        <AccountDialog
          why={say('lobby.accountNeeded')}
          onClose={() => setAccountNeeded(false)}
          onSigned={() => {
            setAccountNeeded(false);
            onSigned();
          }}
        />
      )}
    </form>
  );
}
