// Signing in and making an account.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { logIn, signUp } from '../net/account.ts';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';

interface AccountDialogProps {
  /** Why the dialog is there, when the user did not ask for it. */
  why?: string;
  onClose(): void;
  onSigned(): void;
}

export function AccountDialog({ why, onClose, onSigned }: AccountDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isNew, setNew] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(() => dialog.current?.showModal(), []);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [name, password] = [String(fields.get('username')), String(fields.get('password'))];
    setBusy(true);
    setProblem('');
    try {
      await (isNew ? signUp : logIn)(name, password);
      onSigned();
    } catch (error) {
      setProblem(problemText(error));
      setBusy(false);
    }
  };

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="account-title" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="account-title">{say(isNew ? 'ui.newAccount' : 'ui.signIn')}</h2>
        {why && <p class="hint">{why}</p>}
        <label class="field">
          <span>{say('ui.accountName')}</span>
          <input name="username" autoComplete="username" required maxLength={30} spellcheck={false} />
        </label>
        <label class="field">
          <span>{say('ui.password')}</span>
          <input
            name="password"
            type="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
          />
        </label>
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={busy}>
            {say(isNew ? 'ui.createAccount' : 'ui.signIn')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {say('ui.cancel')}
          </button>
        </div>
        <button type="button" class="quiet switch" onClick={() => setNew(!isNew)}>
          {say(isNew ? 'ui.haveAccount' : 'ui.needAccount')}
        </button>
      </form>
    </dialog>
  );
}
