import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { TYPING_MS } from '../../../components/work-area/use-settled.js';
import { cx } from '../../../lib/cx.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { ACTS, shortId } from '../components/act-text.js';
import { AREAS } from './act-words.js';
import { LONGEST_SEARCH, searchOf, SHORTEST_SEARCH, type LogFilter } from './use-log-filter.js';

const BOX = 'touch flex h-9 items-center gap-2 rounded-ctl border border-line-strong px-3 text-14 text-ink-2';
const VALUE = 'h-full min-w-0 bg-bg font-[600] text-ink';

interface LogFiltersProps {
  readonly filter: LogFilter;
  /** The address of the CSV. */
  readonly file: string;
}

/** The fields of the filter, and the CSV of the entries that match. */
export function LogFilters({ filter, file }: LogFiltersProps): React.ReactNode {
  const { values, change } = filter;
  return (
    <>
      <SearchField search={values.q} onSearch={(text) => change('q', text)} />
      <Who who={values.who} onChange={(who) => change('who', who)} />
      <label className={BOX}>
        Act
        <select
          className={cx(VALUE, 'max-w-40')}
          value={values.act ?? ''}
          onChange={({ target }) => change('act', target.value || null)}
        >
          <option value="">All</option>
          {AREAS.map(({ filter: area, name, kinds }) => (
            <optgroup key={area} label={name}>
              <option value={area}>{name}, all acts</option>
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {ACTS[kind].slice(0, 2).join(' ')}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <Day label="From" day={values.from} onChange={(day) => change('from', day)} />
      <Day label="To" day={values.to} onChange={(day) => change('to', day)} />
      {/* The export is an act itself. */}
      <CsvButton className="h-9" address={file} onDone={() => refreshRpc('list_admin_acts')} />
    </>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string | null;
  readonly onChange: (day: string | null) => void;
}

function Day({ label, day, onChange }: DayProps): React.ReactNode {
  return (
    <label className={BOX}>
      <span>{label}</span>
      <input
        type="date"
        className={cx('h-full min-w-0 bg-bg tabular-nums', day ? 'font-[600] text-ink' : 'text-ink-2')}
        value={day ?? ''}
        onChange={({ target }) => onChange(target.value || null)}
      />
    </label>
  );
}

interface WhoProps {
  readonly who: string | null;
  readonly onChange: (who: string | null) => void;
}

function Who({ who, onChange }: WhoProps): React.ReactNode {
  const { data = [] } = useRpc('list_admin_actors', {});
  const names = data.map(({ actor_id: id, actor_name: name }) => ({ id, name: name ?? shortId(id) }));
  // The person of a link is chosen before the list has loaded.
  const all = who === null || names.some(({ id }) => id === who) ? names : [...names, { id: who, name: shortId(who) }];
  return (
    <label className={BOX}>
      Who
      <select
        className={cx(VALUE, 'max-w-40')}
        value={who ?? ''}
        onChange={({ target }) => onChange(target.value || null)}
      >
        <option value="">Everyone</option>
        {all.map(({ id, name }) => (
          <option key={id} translate="no" value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SearchFieldProps {
  readonly search: string | null;
  readonly onSearch: (search: string | null) => void;
}

function SearchField({ search, onSearch }: SearchFieldProps): React.ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [short, setShort] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  // A link may change the search; letters that are being typed stay.
  useEffect(() => {
    const field = input.current;
    if (field && field !== document.activeElement && searchOf(field.value) !== search) field.value = search ?? '';
  }, [search]);

  const type = (text: string): void => {
    clearTimeout(timer.current);
    const next = searchOf(text);
    setShort(next === null && text.trim() !== '');
    if (next !== search) timer.current = setTimeout(() => onSearch(next), TYPING_MS);
  };
  return (
    <div className="relative max-sm:w-full">
      <label htmlFor="log-search" className="sr-only">
        Search reasons and names
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-[18px] left-3 size-4 -translate-y-1/2 text-ink-2"
      />
      <input
        ref={input}
        id="log-search"
        type="search"
        placeholder="Reason or name"
        maxLength={LONGEST_SEARCH}
        defaultValue={search ?? ''}
        aria-describedby="log-search-note"
        onChange={({ target }) => type(target.value)}
        className="touch h-9 w-full rounded-ctl border border-line-strong bg-bg pr-3 pl-9 text-14 sm:w-48"
      />
      <p
        id="log-search-note"
        className={cx('text-13 text-ink-2 sm:absolute sm:top-full sm:mt-1 sm:whitespace-nowrap', !short && 'sr-only')}
      >
        Type {SHORTEST_SEARCH} letters at least.
      </p>
    </div>
  );
}

interface AboutProps {
  readonly about: string;
  readonly onClear: () => void;
}

/** The subject that the log is limited to. */
export function About({ about, onClear }: AboutProps): React.ReactNode {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-2 text-14">
      <span className="min-w-0 break-all text-ink-2">
        Acts about{' '}
        <b translate="no" className="font-[560] text-ink">
          {about}
        </b>
      </span>
      <Button kind="quiet" size={32} onClick={onClear}>
        <X aria-hidden className="size-4" />
        Show all subjects
      </Button>
    </p>
  );
}
