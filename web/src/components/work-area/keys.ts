import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { singleKeysOff } from '../../lib/single-keys.js';
import { createListeners } from '../../lib/listeners.js';

/** An action of a page and its keys. */
export interface KeyBinding {
  /**
   * As they are printed: `J`, `?`, `↑`, `↓`, `↵`, `Esc`, `Ctrl ↵`, `Alt ↑`, `Shift ↓`; two strokes for pages: `G R`.
   */
  readonly keys: readonly string[];
  /** Two words at most, for the footer and the sheet: `Move`. */
  readonly label: string;
  /** Gets the key that was pressed, as it is printed. */
  readonly run: (key: string) => void;
  /** Only on the sheet behind `?`, not in the footer. */
  readonly quiet?: boolean;
}

interface Group {
  readonly shown: readonly Omit<KeyBinding, 'run'>[];
  readonly latest: { readonly current: readonly KeyBinding[] };
}

/** Longest wait between the two strokes of `G R`, milliseconds. */
const SECOND_STROKE_MS = 2_000;
const PRINTED: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
};

let groups: readonly Group[] = [];
const { subscribe, notify } = createListeners();

/**
 * Binds keys while the component is mounted; they appear in the footer and on the sheet. They are off while a field has
 * the focus (except with Ctrl) and while a dialog or menu is open. The newest binding of a key wins. What is on the
 * screen has its keys: a key can be pressed before other effects run.
 */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  useLayoutEffect(() => {
    latest.current = bindings;
  });
  const text = JSON.stringify(bindings.map(({ keys, label, quiet }) => ({ keys, label, quiet })));
  useLayoutEffect(() => {
    const group: Group = { shown: JSON.parse(text) as Group['shown'], latest };
    groups = [...groups, group];
    notify();
    return () => {
      groups = groups.filter((each) => each !== group);
      notify();
    };
  }, [text]);
}

/** The bindings of the page, in the order of its components, each key once: with the binding that wins. */
export function useShownKeys(): readonly Omit<KeyBinding, 'run'>[] {
  const all = useSyncExternalStore(subscribe, () => groups).flatMap(({ shown }) => shown);
  return all
    .map((binding, index) => ({
      ...binding,
      keys: binding.keys.filter((key) => !all.slice(index + 1).some(({ keys }) => keys.includes(key))),
    }))
    .filter(({ keys }) => keys.length > 0);
}

/** A key that people also type as text; these can be turned off. */
export function isCharacterKey(key: string): boolean {
  return key.length === 1 && !Object.values(PRINTED).includes(key);
}

/** The key of an event, as it is printed. */
function printedKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const name = PRINTED[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (ctrlKey || metaKey) return `Ctrl ${name}`;
  if (altKey) return `Alt ${name}`;
  return shiftKey && name in SHIFTED ? `Shift ${name}` : name;
}
const SHIFTED: Readonly<Record<string, true>> = { '↑': true, '↓': true };

const FIELD = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]';
const RADIO = 'input[type="radio"]';
const OWN_ENTER = 'a, button, summary, [role="button"]';
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Runs the bindings of {@link useKeys}. Once, in the frame of the area. */
export function useKeyListener(): void {
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | null = null;
    const press = (event: KeyboardEvent): void => {
      const key = printedKey(event);
      const before = first && event.timeStamp - first.at < SECOND_STROKE_MS ? first.key : null;
      first = null;
      if (event.defaultPrevented || event.repeat || document.querySelector(OVER_THE_PAGE)) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.matches(FIELD) && !key.startsWith('Ctrl ')) return;
      // The arrows choose between radio buttons.
      if ('↑↓←→'.includes(key) && target?.matches(RADIO)) return;
      if (key === '↵' && target?.matches(OWN_ENTER)) return;
      if (singleKeysOff() && isCharacterKey(key)) return;
      const all = groups.toReversed().flatMap(({ latest }) => latest.current);
      const stroke = before === null ? key : `${before} ${key}`;
      const bound = all.find(({ keys }) => keys.includes(stroke));
      if (bound) {
        event.preventDefault();
        bound.run(stroke);
      } else if (before === null && all.some(({ keys }) => keys.some((each) => each.startsWith(`${key} `)))) {
        first = { key, at: event.timeStamp };
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
