// At the edge of the page: the connection when it is lost, and what the server refused.
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { say } from '../words/say.ts';
import type { SessionView } from './game_session.ts';

const NOTICE_MS = 6_000;

export function LinkState({ view, onDismiss }: { view: SessionView; onDismiss(): void }): VNode {
  const serial = view.notice?.serial;
  useEffect(() => {
    if (serial === undefined) return;
    const timer = setTimeout(onDismiss, NOTICE_MS);
    return () => clearTimeout(timer);
  }, [serial]);
  return (
    <div class="edge">
      <p class={`link ${view.link === 'lost' ? 'lost' : ''}`} role="status" data-testid="link-state">
        {view.link === 'lost' ? say('play.reconnecting') : ''}
      </p>
      {view.notice && (
        <p class="notice" role="alert" data-testid="notice">
          {view.notice.text}
          <button type="button" class="quiet" aria-label={say('play.close')} onClick={onDismiss}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
