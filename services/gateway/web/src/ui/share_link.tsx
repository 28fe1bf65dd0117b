// This page's address, to be sent to others.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../words/say.ts';
import { Icon } from './icon.tsx';

export function ShareLink({ label }: { label: string }): VNode {
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
        aria-label={label}
        data-testid="link"
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="submit" class="primary">
        <Icon name={copied ? 'check' : 'copy'} /> {say(copied ? 'ui.copied' : 'ui.copyLink')}
      </button>
    </form>
  );
}
