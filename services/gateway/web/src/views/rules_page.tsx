import type { VNode } from 'preact';
import { PlainPage } from './plain_page.tsx';
export function RulesPage({ of }: { of: string | null }): VNode {
  return <PlainPage title="Rules"><main class="narrow">{of}</main></PlainPage>;
}
