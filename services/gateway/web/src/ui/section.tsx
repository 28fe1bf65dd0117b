// A part of a text with its heading.
import type { ComponentChildren, VNode } from 'preact';

interface SectionProps {
  title: string;
  /** A part that has nothing is left out. */
  shown?: boolean;
  children: ComponentChildren;
}

export function Section({ title, shown = true, children }: SectionProps): VNode | null {
  if (!shown) return null;
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
