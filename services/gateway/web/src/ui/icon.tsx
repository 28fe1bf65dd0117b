// The page's few pictures, drawn for it.
import type { VNode } from 'preact';

const PATHS = {
  flag: 'M5 21V4m0 0h12l-3 4 3 4H5',
  half: 'M5 8h14M5 16h14',
  cross: 'M6 6l12 12M18 6 6 18',
  flip: 'M7 20V5m0 0L3.5 8.5M7 5l3.5 3.5M17 4v15m0 0 3.5-3.5M17 19l-3.5-3.5',
  first: 'M18 6l-7 6 7 6M6 6v12',
  back: 'M15 6l-7 6 7 6',
  forward: 'M9 6l7 6-7 6',
  last: 'M6 6l7 6-7 6M18 6v12',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  check: 'M5 12.5 10 17 19 7',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700l-1.2 1.200M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700l1.2-1.2',
  undo: 'M8 5 4 9l4 4M4 9h9a5.500 5.500 0 0 1 0 11H9',
  hint: 'M9.500 18h5M10.500 21h3M9 15a6 6 0 1 1 6 0v1H9z',
  people: 'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M2.500 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.200.8 3.500 2.700 3.500 5.500',
  person: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.500 21c0-4.500 3.500-7 7.500-7s7.500 2.500 7.500 7',
  computer: 'M4 5h16v11H4zM9 20h6M12 16v4',
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: a clock's flag, about to fall. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="13" class="rim" />
      <path d="M16 16 16 7.5" class="hand" />
      <path d="M17.5 5.5 27 9.8 19.8 14z" class="fall" />
      <circle cx="16" cy="16" r="1.8" class="hub" />
    </svg>
  );
}
