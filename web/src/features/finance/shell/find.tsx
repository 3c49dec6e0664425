import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';

/** The field that looks for accounts of the books, creators and entries. */
export function Find(): React.ReactNode {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useKeys([{ keys: ['/'], label: 'Find', run: () => field.current?.focus() }]);
  return (
    <form
      role="search"
      className="relative"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted === '') return;
        setText('');
        void navigate(`/finance/find?${new URLSearchParams({ q: wanted }).toString()}`);
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-2" />
      <input
        ref={field}
        type="search"
        enterKeyHint="search"
        aria-label="Find an account, a creator or an entry"
        placeholder="Find"
        maxLength={220}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-9 w-[104px] rounded-[10px] border border-line bg-surface pr-2 pl-9 text-14 hover:border-line-strong sm:w-[170px] sm:pr-9"
      />
      <Kbd keys="/" className="pointer-events-none absolute top-2 right-2 text-ink-2 max-sm:hidden" />
    </form>
  );
}
