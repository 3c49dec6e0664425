import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { cx } from '../../../lib/cx.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { ADMIN_PAGES } from './menu.js';
import { useFind, type Found } from './use-find.js';

interface PaletteProps {
  readonly onChoose: (target: Found['target']) => void;
}

/** Longest text that all calls accept. */
const MAX_LENGTH = 100;

/** A field with its results below: pages, creators, applications, users and a generation. Arrows and Enter choose. */
export function Palette({ onChoose }: PaletteProps): React.ReactNode {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { loading, failed, groups } = useFind(text);
  const wanted = text.trim().toLowerCase();
  const pages = ADMIN_PAGES.filter(({ label }) => label.toLowerCase().includes(wanted));
  // The pages are there at once, so they come first: a late result must not push them away from Enter.
  const all = [
    {
      title: 'Go to',
      found: pages.map(({ path, label, letter }) => ({
        key: path,
        label,
        detail: '',
        target: path,
        keys: `G ${letter}`,
      })),
    },
    ...groups,
  ].filter(({ found }) => found.length > 0);
  const rows: (Found & { readonly keys?: string })[] = all.flatMap(({ found }) => [...found]);
  const active = Math.min(chosen, rows.length - 1);

  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && rows.length > 0) {
      event.preventDefault();
      const next = (active + step + rows.length) % rows.length;
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView?.({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      const choice = rows[active];
      if (choice) onChoose(choice.target);
    }
  };

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-ink-2" />
        <input
          role="combobox"
          aria-label="Find"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          placeholder="Name, handle, email address or whole ID"
          maxLength={MAX_LENGTH}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
          className="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-ink-2"
        />
        <Kbd keys="Esc" className="text-ink-2 max-sm:hidden" />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="pt-2">
        {all.map(({ title, found }, group) => (
          <div key={title} role="group" aria-labelledby={`${id}-group-${group}`}>
            <p id={`${id}-group-${group}`} className="px-3 pt-2 pb-1 text-14 text-ink-2">
              {title}
            </p>
            {found.map((row) => {
              const index = rows.indexOf(row);
              return (
                <Row
                  key={row.key}
                  id={`${id}-${index}`}
                  row={row}
                  active={index === active}
                  onPoint={() => setChosen(index)}
                  onChoose={() => onChoose(row.target)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="px-3 py-2 text-14 text-ink-2 empty:hidden">
        {loading ? 'Searching...' : failed ? 'Not everything could be searched. Please try again.' : null}
        {!loading && !failed && rows.length === 0 && 'Nothing found'}
      </p>
    </>
  );
}

interface RowProps {
  readonly id: string;
  readonly row: Found & { readonly keys?: string };
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Row({ id, row: { label, detail, keys }, active, onPoint, onChoose }: RowProps): React.ReactNode {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={cx('flex h-10 cursor-pointer items-center gap-3 rounded-[10px] px-3 text-14', active && 'bg-hover')}
      onMouseMove={onPoint}
      // Before the field loses the focus.
      onMouseDown={onChoose}
    >
      <span className="min-w-0 flex-1 truncate">
        <span className="font-[560]">{label}</span>
        {detail !== '' && <span className="ml-2 text-ink-2">{detail}</span>}
      </span>
      {keys ? (
        <Kbd keys={keys} className="text-ink-2 max-sm:hidden" />
      ) : (
        active && <Kbd keys="↵" className="text-ink-2 max-sm:hidden" />
      )}
    </div>
  );
}
