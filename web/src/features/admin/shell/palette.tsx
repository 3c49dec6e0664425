import { useId, useState } from 'react';
import { cx } from '../../../lib/cx.js';
import { Kbd } from '../components/kbd.js';
import { PLACES } from './places.js';

interface PaletteProps {
  readonly hasPage: (path: string) => boolean;
  readonly onChoose: (to: string) => void;
}

interface Found {
  readonly to: string;
  readonly label: string;
  readonly keys?: string;
}

/** A field with what it finds below; arrows and Enter choose. */
export function Palette({ hasPage, onChoose }: PaletteProps): React.ReactNode {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const wanted = text.trim().toLowerCase();
  const found: Found[] = PLACES.filter(({ path, label }) => hasPage(path) && label.toLowerCase().includes(wanted)).map(
    ({ path, label, letter }) => ({ to: path, label, keys: `G ${letter}` }),
  );
  const active = Math.min(chosen, found.length - 1);

  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen((active + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      const choice = found[active];
      if (choice) onChoose(choice.to);
    }
  };

  return (
    <>
      <input
        role="combobox"
        aria-label="Find"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
        className="h-12 w-full border-b border-line bg-transparent px-3 text-16 outline-none"
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Results" className="pt-2">
        {found.map(({ to, label, keys }, index) => (
          <li
            key={to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={cx(
              'flex h-10 cursor-pointer items-center justify-between rounded-[10px] px-3 text-14',
              index === active && 'bg-hover',
            )}
            onMouseMove={() => setChosen(index)}
            // Before the field loses the focus.
            onMouseDown={() => onChoose(to)}
          >
            {label}
            {keys && <Kbd keys={keys} className="text-ink-2" />}
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p role="status" className="px-3 py-2 text-14 text-ink-2">
          Nothing found
        </p>
      )}
    </>
  );
}
