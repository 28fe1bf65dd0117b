// An invitation: its maker waits and may take it back, its reader takes a side of a link or answers.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Color } from '../chess/color.ts';
import { choiceOf, rulesHref, rulesOf } from '../chess/rule_sets.ts';
import { variantOf } from '../chess/variants.ts';
import { accountOrGuest } from '../net/account.ts';
import { RestError } from '../net/rest.ts';
import type { Person } from '../net/wire.ts';
import { AccountDialog } from '../ui/account_dialog.tsx';
import { goTo } from '../ui/go.ts';
import { ShareLink } from '../ui/share_link.tsx';
import { problemText } from '../words/problem.ts';
import { chaturangaLines, ruleSetLines, ruleSetName, VARIANT_WORDS } from '../words/rule_words.ts';
import { sideName, timeControlSentence, timeControlText } from '../words/wording.ts';
import { Answer } from './answer.tsx';
import { accept, cancel, type Challenge } from './challenges.ts';
import { challengeTime } from './terms.ts';

interface InvitationProps {
  challenge: Challenge;
  player: Person | null;
  /** Whether the one who looks has taken a seat and waits. */
  waiting: boolean;
  /** A seat was taken. */
  onJoined(): void;
  /** The page's player has changed. */
  onSigned(): void;
}

export function Invitation({ challenge, player, waiting, onJoined, onSigned }: InvitationProps): VNode {
  const control = challengeTime(challenge);
  const variant = variantOf(challenge.variant.key);
  const rules = rulesOf(challenge.ruleSet, challenge.ruleSetFields);
  return (
    <main class="narrow">
      <section class="card invitation" data-testid="invitation">
        <h1>{waiting ? `Waiting for ${challenge.destUser?.name ?? 'your opponent'}` : invites(challenge)}</h1>
        <dl class="facts">
          <div>
            <dt>Time</dt>
            <dd>
              <strong>{timeControlText(control)}</strong>
              <span>{timeControlSentence(control)}</span>
            </dd>
          </div>
          <div>
            <dt>Rated</dt>
            <dd>{challenge.rated ? 'Yes' : 'No'}</dd>
          </div>
          <div data-testid="invited-variant">
            <dt>Variant</dt>
            <dd>
              <strong>
                <a href={`/rules/${variant}`} target="_blank">
                  {VARIANT_WORDS[variant].name}
                </a>
              </strong>
              <span>{VARIANT_WORDS[variant].line}</span>
              {variant === 'chaturanga' && chaturangaLines(rules.chaturanga).map((line) => <span key={line}>{line}</span>)}
              {challenge.variant.key === 'fromPosition' && <span>From a position of its own</span>}
            </dd>
          </div>
          <div data-testid="invited-rules">
            <dt>Rules</dt>
            <dd>
              <strong>
                <a href={rulesHref(choiceOf(rules).preset)} target="_blank">
                  {ruleSetName(rules)}
                </a>
              </strong>
              {ruleSetLines(rules).map((line) => (
                <span key={line}>{line}</span>
              ))}
            </dd>
          </div>
        </dl>
        {waiting ? (
          <Waiting challenge={challenge} mine={challenge.challenger?.id === player?.id} />
        ) : challenge.destUser ? (
          <Directed challenge={challenge} player={player} onJoined={onJoined} />
        ) : (
          <Join challenge={challenge} player={player} onJoined={onJoined} onSigned={onSigned} />
        )}
      </section>
    </main>
  );
}

function invites({ challenger, destUser, rematchOf, counterTo }: Challenge): string {
  const name = challenger?.name ?? 'Somebody';
  if (rematchOf) return `${name} wants a rematch`;
  if (counterTo) return `${name} offers other terms`;
  return destUser ? `${name} invites ${destUser.name} to a game` : `${name} invites you to a game`;
}

/** An invitation to one person; others may only read it. */
function Directed({ challenge, player, onJoined }: Pick<InvitationProps, 'challenge' | 'player' | 'onJoined'>): VNode {
  const [problem, setProblem] = useState('');
  if (challenge.destUser?.id !== player?.id) return <p class="hint">It is for {challenge.destUser?.name} to answer.</p>;
  return (
    <>
      <Answer
        challenge={challenge}
        hasAccount={!player?.guest}
        onProblem={(error) => setProblem(problemText(error))}
        onDone={(accepted) => (accepted ? onJoined() : goTo('/'))}
      />
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

function Waiting({ challenge, mine }: { challenge: Challenge; mine: boolean }): VNode {
  const [problem, setProblem] = useState('');
  const takeBack = async (): Promise<void> => {
    try {
      await cancel(challenge.id);
      goTo('/');
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  return (
    <div class="waiting">
      {challenge.destUser ? (
        <p>The game begins here by itself when {challenge.destUser.name} accepts.</p>
      ) : (
        <>
          <p>Send this link to the one you want to play. The game begins here by itself.</p>
          <ShareLink label="Link to the game" />
        </>
      )}
      <p class="pulse" role="status">
        <span class="dot" aria-hidden="true" /> Waiting…
      </p>
      {mine && (
        <button type="button" onClick={() => void takeBack()}>
          Cancel the invitation
        </button>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </div>
  );
}

function Join({ challenge, player, onJoined, onSigned }: Omit<InvitationProps, 'waiting'>): VNode {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [accountNeeded, setAccountNeeded] = useState(false);
  const sides = openSides(challenge);

  const join = async (color: Color | 'random'): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await accountOrGuest(player);
      await accept(challenge.id, color);
      onJoined();
    } catch (error) {
      setBusy(false);
      if (error instanceof RestError && error.code === 'account_needed') setAccountNeeded(true);
      else setProblem(problemText(error));
    }
  };

  return (
    <div class="join">
      <div class="row">
        {sides.map((color) => (
          <button key={color} type="button" class="side-choice" disabled={busy} onClick={() => void join(color)}>
            <span class={`disc ${color}`} aria-hidden="true" />
            {color === 'random' ? 'Join, random colour' : `Join as ${sideName(color)}`}
          </button>
        ))}
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      {accountNeeded && (
        <AccountDialog
          why="A correspondence game needs an account, so that you find it again from any device."
          onClose={() => setAccountNeeded(false)}
          onSigned={() => {
            setAccountNeeded(false);
            onSigned();
          }}
        />
      )}
    </div>
  );
}

/** The sides that are left to take. */
function openSides(challenge: Challenge): (Color | 'random')[] {
  if (!challenge.challenger || challenge.color === 'random') return ['white', 'random', 'black'];
  return [challenge.color === 'white' ? 'black' : 'white'];
}
