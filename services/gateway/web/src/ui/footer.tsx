// The foot of pages that are not a game: where else there is something to read or do.
import type { VNode } from 'preact';

export function Footer(): VNode {
  return (
    <footer class="foot">
      <nav aria-label="More">
        <a href="/">New game</a>
        <a href="/rules">Rules</a>
        <a href="/import">Import a game</a>
        <a href="/docs">API</a>
      </nav>
    </footer>
  );
}
