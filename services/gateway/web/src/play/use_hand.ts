// The piece in hand that is to be dropped: picked by a press or by its letter, dropped by a click or a typed square.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Hand {
  /** The letter in lower case. */
  picked: string | null;
  pick(letter: string | null): void;
  /** Whether the key was meant for the hand. */
  press(key: string): boolean;
}

/**
 * `drops` are the squares for each letter that may be dropped now; `onDrop` is called for one of them. While a piece is
 * picked, letters a-h and a digit name the square (so `b` is a file then), and Escape puts the piece back.
 */
export function useHand(drops: ReadonlyMap<string, readonly string[]>, onDrop: (letter: string, square: string) => void): Hand {
  const [picked, setPicked] = useState<string | null>(null);
  // Keys may come faster than the page is drawn, so their meaning is kept apart from what is drawn.
  const held = useRef<{ letter: string | null; file: string }>({ letter: null, file: '' });
  const pick = (letter: string | null): void => {
    held.current = { letter, file: '' };
    setPicked(letter);
  };
  useEffect(() => {
    if (held.current.letter !== null && !drops.has(held.current.letter)) pick(null);
  }, [drops]);

  const press = (key: string): boolean => {
    const sign = key.toLowerCase();
    const { letter, file } = held.current;
    if (letter && sign === 'escape') pick(null);
    else if (letter && /^[a-h]$/.test(sign)) held.current = { letter, file: sign };
    else if (letter && file && /^[1-8]$/.test(sign)) {
      const square = file + sign;
      held.current = { letter, file: '' };
      if (!drops.get(letter)?.includes(square)) return true;
      pick(null);
      onDrop(letter, square);
    } else if (drops.has(sign)) pick(sign);
    else return false;
    return true;
  };
  return { picked, pick, press };
}
