// A page that is not a game: header, content, footer.
import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { account, type Account } from '../net/account.ts';
import { say } from '../words/say.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

export function PlainPage({ title, children }: { title: string; children: ComponentChildren }): VNode {
  const [me, setMe] = useState<Account | null | undefined>(undefined);
  const load = useCallback(async (): Promise<void> => {
    try {
      setMe(await account());
    } catch {
      // Who is signed in does not matter to what stands here; the header stays without a name.
    }
  }, []);
  useEffect(() => void load(), [load]);
  useEffect(() => {
    document.title = say('page.title', { title });
  }, [title]);
  return (
    <>
      <Header player={me && { id: me.id, name: me.username, guest: me.guest ?? false }} onSigned={() => void load()} />
      {children}
      <Footer />
    </>
  );
}
