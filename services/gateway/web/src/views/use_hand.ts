// The man in hand that is to be dropped: picked by a press or by its letter, dropped by a click or a typed square.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Hand {
  /** The letter in lower case. */
  picked: string | null;
  pick(letter: string | null): void;
  /** Whether the key was meant for the hand. */
  press(key: string): boolean;
}

/**
 * `drops` are the squares for each letter that may be dropped now; `onDrop` is called for one of them. While a man is
 * picked, letters a-h and a digit name the square (so `b` is a file then), and Escape puts the man back.
 */
export function useHand(drops: ReadonlyMap<string, readonly string[]>, onDrop: (letter: string, square: string) => void): Hand {
  const [picked, pick] = useState<string | null>(null);
  const file = useRef('');
  useEffect(() => {
    file.current = '';
    if (picked && !drops.has(picked)) pick(null);
  }, [picked, drops]);

  const press = (key: string): boolean => {
    const sign = key.toLowerCase();
    if (picked && sign === 'escape') pick(null);
    else if (picked && /^[a-h]$/.test(sign)) file.current = sign;
    else if (picked && file.current && /^[1-8]$/.test(sign)) {
      const square = file.current + sign;
      file.current = '';
      if (!drops.get(picked)?.includes(square)) return true;
      pick(null);
      onDrop(picked, square);
    } else if (drops.has(sign)) pick(sign);
    else return false;
    return true;
  };
  return { picked, pick, press };
}
