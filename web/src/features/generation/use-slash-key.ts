import { useEffect, useRef } from 'react';
import { singleKeysOff } from '../../lib/single-keys.js';

const FIELD = 'input, textarea, select, [contenteditable="true"]';
// The list of the search box is always in the page, and hidden while it is closed.
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]:not([hidden])';

/**
 * Runs `act` when `/` is pressed outside of fields, dialogs and menus, unless the person has turned single keys off.
 * @param act moves the focus; null while there is nothing to focus
 */
export function useSlashKey(act: (() => void) | null): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || event.repeat || singleKeysOff() || !latest.current) return;
      if (event.target instanceof Element && event.target.matches(FIELD)) return;
      if (document.querySelector(OVER_THE_PAGE)) return;
      // The browser would type the key into the field.
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
