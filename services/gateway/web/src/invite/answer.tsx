// The answers to an invitation: accept, decline with a reason, or other terms.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo } from '../ui/go.ts';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { accept, counter, decline, type Challenge } from './challenges.ts';
import { termsOf, termsOfChallenge } from './terms.ts';
import { TermsFields } from './terms_fields.tsx';

/** The reasons that the server knows. */
const REASONS = [
  'generic',
  'later',
  'tooFast',
  'tooSlow',
  'timeControl',
  'rated',
  'casual',
  'standard',
  'variant',
] as const;

interface AnswerProps {
  challenge: Challenge;
  /** Whether the invited player has an account. */
  hasAccount: boolean;
  onProblem(error: unknown): void;
  /** Accepted: the game begins under the same id. Declined or countered: this invitation is over. */
  onDone(accepted: boolean): void;
}

export function Answer({ challenge, hasAccount, onProblem, onDone }: AnswerProps): VNode {
  const [reason, setReason] = useState<string>('generic');
  const [busy, setBusy] = useState(false);
  const [countering, setCountering] = useState(false);
  const attempt = async (what: () => Promise<unknown>, accepted: boolean): Promise<void> => {
    setBusy(true);
    onProblem(null);
    try {
      await what();
      onDone(accepted);
    } catch (error) {
      onProblem(error);
    }
    setBusy(false);
  };
  return (
    <div class="answer">
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => void attempt(() => accept(challenge.id, 'random'), true)}
        >
          {say('invite.accept')}
        </button>
        <button type="button" disabled={busy} onClick={() => setCountering(true)}>
          {say('invite.otherTerms')}
        </button>
      </div>
      <div class="row">
        <select aria-label={say('invite.reason')} value={reason} onChange={(event) => setReason(event.currentTarget.value)}>
          {REASONS.map((key) => (
            <option key={key} value={key}>
              {say(`declineReasons.${key}`)}
            </option>
          ))}
        </select>
        <button
          type="button"
          disabled={busy}
          onClick={() => void attempt(() => decline(challenge.id, reason), false)}
        >
          {say('invite.decline')}
        </button>
      </div>
      {countering && (
        <CounterDialog challenge={challenge} mayRate={hasAccount} onClose={() => setCountering(false)} />
      )}
    </div>
  );
}

interface CounterDialogProps {
  challenge: Challenge;
  mayRate: boolean;
  onClose(): void;
}

/** The same game on other terms; it becomes an invitation of one's own. */
function CounterDialog({ challenge, mayRate, onClose }: CounterDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState(() => termsOfChallenge(challenge));
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const send = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      goTo(`/${(await counter(challenge.id, termsOf(chosen))).id}`);
    } catch (error) {
      setProblem(problemText(error));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} class="dialog wide" aria-labelledby="counter-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2 id="counter-title">{say('invite.otherTerms')}</h2>
        <p class="hint">{say('invite.counterHint', { name: challenge.challenger?.name ?? '' })}</p>
        <TermsFields value={chosen} mayRate={mayRate} onChange={setChosen} />
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={busy}>
            {say('invite.send')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {say('invite.cancel')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
