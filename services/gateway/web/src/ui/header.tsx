// The top of each page: the way home, and who is signed in.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { logOut } from '../net/account.ts';
import { say } from '../words/say.ts';
import { AccountDialog } from './account_dialog.tsx';
import { Mark } from './icon.tsx';

interface HeaderProps {
  /** Undefined while it is not known. */
  player: { id: string; name: string; guest: boolean } | null | undefined;
  /** The signed-in player has changed. */
  onSigned(): void;
}

export function Header({ player, onSigned }: HeaderProps): VNode {
  const [asking, setAsking] = useState(false);
  const leave = async (): Promise<void> => {
    await logOut();
    onSigned();
  };
  return (
    <header class="top">
      <a class="brand" href="/">
        <Mark />
        {say('page.name')}
      </a>
      <div class="who">
        {player && (
          <a class="who-name" href={`/player/${encodeURIComponent(player.id)}`}>
            {player.name}
          </a>
        )}
        {player && !player.guest && (
          <button type="button" class="quiet" onClick={() => void leave()}>
            {say('ui.signOut')}
          </button>
        )}
        {player !== undefined && (!player || player.guest) && (
          <button type="button" class="quiet" onClick={() => setAsking(true)}>
            {say('ui.signIn')}
          </button>
        )}
      </div>
      {asking && (
        <AccountDialog
          onClose={() => setAsking(false)}
          onSigned={() => {
            setAsking(false);
            onSigned();
          }}
        />
      )}
    </header>
  );
}
