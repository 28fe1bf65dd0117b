// The foot of pages that are not a game: where else there is something to read or do.
import type { VNode } from 'preact';
import { say } from '../words/say.ts';

export function Footer(): VNode {
  return (
    <footer class="foot">
      <nav aria-label={say('ui.more')}>
        <a href="/">{say('ui.newGame')}</a>
        <a href="/rules">{say('ui.rules')}</a>
        <a href="/import">{say('ui.importGame')}</a>
        <a href="/docs">{say('ui.api')}</a>
      </nav>
    </footer>
  );
}
