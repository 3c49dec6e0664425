import { useEffect, useState } from 'react';

/** Wait after the last key before a search, milliseconds. */
export const TYPING_MS = 250;

/** The text once it has not changed for a moment. An empty text at once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
