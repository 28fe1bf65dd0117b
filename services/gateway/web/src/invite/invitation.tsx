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
import { chaturangaLines, ruleSetLines, ruleSetName, variantLine, variantName } from '../words/rule_words.ts';
import { say } from '../words/say.ts';
import { timeControlSentence, timeControlText } from '../words/wording.ts';
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
        <h1>{waiting ? waitsFor(challenge) : invites(challenge)}</h1>
        <dl class="facts">
          <div>
            <dt>{say('invite.time')}</dt>
            <dd>
              <strong>{timeControlText(control)}</strong>
              <span>{timeControlSentence(control)}</span>
            </dd>
          </div>
          <div>
            <dt>{say('invite.rated')}</dt>
            <dd>{say(challenge.rated ? 'invite.isRated' : 'invite.isUnrated')}</dd>
          </div>
          <div data-testid="invited-variant">
            <dt>{say('invite.variant')}</dt>
            <dd>
              <strong>
                <a href={`/rules/${variant}`} target="_blank">
                  {variantName(variant)}
                </a>
              </strong>
              <span>{variantLine(variant)}</span>
              {variant === 'chaturanga' && chaturangaLines(rules.chaturanga).map((line) => <span key={line}>{line}</span>)}
              {challenge.variant.key === 'fromPosition' && <span>{say('invite.ownPosition')}</span>}
            </dd>
          </div>
          <div data-testid="invited-rules">
            <dt>{say('invite.rules')}</dt>
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

const waitsFor = ({ destUser }: Challenge): string =>
  destUser ? say('invite.waitingFor', { name: destUser.name }) : say('invite.waitingForOpponent');

function invites({ challenger, destUser, rematchOf, counterTo }: Challenge): string {
  const name = challenger?.name ?? say('invite.somebody');
  if (rematchOf) return say('invite.wantsRematch', { name });
  if (counterTo) return say('invite.offersOtherTerms', { name });
  return destUser ? say('invite.invites', { name, invited: destUser.name }) : say('invite.invitesYou', { name });
}

/** An invitation to one person; others may only read it. */
function Directed({ challenge, player, onJoined }: Pick<InvitationProps, 'challenge' | 'player' | 'onJoined'>): VNode {
  const [problem, setProblem] = useState('');
  if (challenge.destUser?.id !== player?.id) {
    return <p class="hint">{say('invite.forAnother', { name: challenge.destUser?.name ?? '' })}</p>;
  }
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
        <p>{say('invite.beginsWhenAccepted', { name: challenge.destUser.name })}</p>
      ) : (
        <>
          <p>{say('invite.sendLink')}</p>
          <ShareLink label={say('invite.linkToGame')} />
        </>
      )}
      <p class="pulse" role="status">
        <span class="dot" aria-hidden="true" /> {say('invite.waiting')}
      </p>
      {mine && (
        <button type="button" onClick={() => void takeBack()}>
          {say('invite.cancelInvitation')}
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
            {color === 'random' ? say('invite.joinRandom') : say('invite.joinAs', { side: color })}
          </button>
        ))}
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      {accountNeeded && (
        <AccountDialog
          why={say('invite.accountNeeded')}
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
