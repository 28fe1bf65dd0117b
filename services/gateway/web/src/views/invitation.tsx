// An invitation by link: its maker waits and shares it, its reader takes a side.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { accept, accountOrGuest, RestError, type Challenge } from '../rest.ts';
import { choiceOf, rulesHref, rulesOf } from '../rule_sets.ts';
import { chaturangaLines, ruleSetLines, ruleSetName, VARIANT_WORDS } from '../rule_words.ts';
import { variantOf } from '../variants.ts';
import type { Color, Person } from '../wire.ts';
import { challengeTime, sideName, timeControlSentence, timeControlText } from '../wording.ts';
import { AccountDialog } from './account_dialog.tsx';
import { Icon } from './icon.tsx';

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
  const variant = variantOf(challenge.variant?.key);
  const rules = rulesOf(challenge.ruleSet ?? 'fide', challenge.ruleSetFields);
  return (
    <main class="narrow">
      <section class="card invitation" data-testid="invitation">
        <h1>{waiting ? 'Waiting for your opponent' : `${challenge.challenger?.name ?? 'Somebody'} invites you to a game`}</h1>
        <dl class="facts">
          <div>
            <dt>Time</dt>
            <dd>
              <strong>{timeControlText(control)}</strong>
              <span>{timeControlSentence(control)}</span>
            </dd>
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
              {challenge.variant?.key === 'fromPosition' && <span>From a position of its own</span>}
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
          <Waiting />
        ) : (
          <Join challenge={challenge} player={player} onJoined={onJoined} onSigned={onSigned} />
        )}
      </section>
    </main>
  );
}

function Waiting(): VNode {
  const [copied, setCopied] = useState(false);
  const address = `${location.origin}${location.pathname}`;
  const copy = async (field: HTMLInputElement): Promise<void> => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      // Pages without TLS may not use the clipboard; the old command still works on the selected text.
      document.execCommand('copy');
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_500);
  };
  return (
    <div class="waiting">
      <p>Send this link to the one you want to play. The game begins here by itself.</p>
      <form
        class="share"
        onSubmit={(event) => {
          event.preventDefault();
          void copy(event.currentTarget.elements[0] as HTMLInputElement);
        }}
      >
        <input
          readOnly
          value={address}
          aria-label="Link to the game"
          data-testid="link"
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="submit" class="primary">
          <Icon name={copied ? 'check' : 'copy'} /> {copied ? 'Copied' : 'Copy link'}
        </button>
      </form>
      <p class="pulse" role="status">
        <span class="dot" aria-hidden="true" /> Waiting…
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
      else setProblem((error as Error).message);
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
