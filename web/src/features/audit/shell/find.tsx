import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { findPath } from '../audit-paths.js';

/** The field that looks for an id of any kind in the whole ledger. */
export function Find(): React.ReactNode {
  const [id, setId] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useKeys([{ keys: ['/'], label: 'Find', run: () => field.current?.focus() }]);
  return (
    <form
      role="search"
      className="relative"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = id.trim();
        if (wanted === '') return;
        setId('');
        void navigate(findPath(wanted));
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-2" />
      <input
        ref={field}
        type="search"
        enterKeyHint="search"
        aria-label="User, event or session ID"
        placeholder="Find an ID"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        value={id}
        onChange={(event) => setId(event.target.value)}
        className="h-9 w-[132px] rounded-[10px] border border-line bg-surface pr-2 pl-9 text-14 hover:border-line-strong sm:w-[200px] sm:pr-9"
      />
      <Kbd keys="/" className="pointer-events-none absolute top-2 right-2 text-ink-2 max-sm:hidden" />
    </form>
  );
}
