import { useEffect, useRef, useState } from 'react';
import { TYPING_MS } from './use-settled.js';

/**
 * The text of a search field, and a way to change it. Searches once it has not changed for a moment.
 * @param search in the address, which is too slow for the letters: the router draws it later
 */
export function useTypedSearch(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const latest = useRef({ search, onSearch });
  useEffect(() => {
    // Another address: the back button, or 'Show all'.
    if (latest.current.search !== search) setText(search);
    latest.current.search = search;
  }, [search]);
  useEffect(() => {
    // Alone: the address that a letter finds may be the one before.
    latest.current.onSearch = onSearch;
  }, [onSearch]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const sent = latest.current.search;
      if (text.trim() !== sent) {
        latest.current.search = text.trim();
        latest.current.onSearch(text.trim());
      }
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
