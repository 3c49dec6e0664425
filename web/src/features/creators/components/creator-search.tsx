import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useCode } from '../../../lib/use-code.js';
import { usePublicCreators } from '../api/get-public-creators.js';
import { nextSuggestion } from '../next-suggestion.js';
import type { Suggestions } from './search-panel.js';

/** Needed once the box has the focus: not part of the landing page. */
const loadPanel = async () => (await import('./search-panel.js')).default;

interface CreatorSearchProps {
  /** Takes the focus when it appears. */
  readonly focusAtOnce?: boolean;
  /** Called after a choice, or after Escape in an empty box. */
  readonly onDone?: () => void;
}

const NONE: Suggestions = { paths: [], likely: null };

/**
 * Finds a creator by name, username or style, and public pictures by their prompts: a combobox with at most five
 * creators and six pictures.
 */
export function CreatorSearch({ focusAtOnce = false, onDone }: CreatorSearchProps): React.ReactNode {
  const id = useId();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(focusAtOnce);
  const [active, setActive] = useState(-1);
  const [suggestions, setSuggestions] = useState(NONE);
  const { code: SearchPanel, missing } = useCode(loadPanel, wanted, text);
  // Requested with the first focus, before there is a text.
  usePublicCreators({ enabled: wanted });

  useEffect(() => {
    if (focusAtOnce) input.current?.focus();
  }, [focusAtOnce]);

  const { paths, likely } = open ? suggestions : NONE;
  const showList = paths.length > 0;

  function choose(path: string): void {
    setText('');
    setOpen(false);
    input.current?.blur();
    void navigate(path);
    onDone?.();
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        setOpen(true);
        if (paths.length === 0) return;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        setActive((now) => nextSuggestion(now, step, paths.length));
        return;
      }
      case 'Enter': {
        const path = paths[active] ?? likely;
        if (path !== null) {
          event.preventDefault();
          choose(path);
        }
        return;
      }
      case 'Escape':
        if (open && text !== '') setOpen(false);
        else {
          setText('');
          onDone?.();
        }
        return;
    }
  }

  return (
    <div
      role="search"
      className="relative"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute left-3 top-1/2 size-4 -translate-y-1/2 text-ink-2" />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="go"
        role="combobox"
        aria-label="Search creators"
        aria-autocomplete="list"
        aria-expanded={showList}
        aria-controls={`${id}-list`}
        aria-activedescendant={showList && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder="Search creators"
        value={text}
        onFocus={() => {
          setWanted(true);
          setOpen(true);
        }}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        className="h-10 w-full rounded-ctl border border-line bg-surface pl-10 pr-3 text-16 text-ink placeholder:text-ink-2 hover:border-line-strong focus-visible:outline-offset-1 sm:text-14"
      />
      {SearchPanel && (
        <SearchPanel
          id={id}
          text={open ? text : ''}
          active={active}
          onActive={setActive}
          onChoose={choose}
          onSuggestions={setSuggestions}
        />
      )}
      {missing && open && text !== '' && (
        <p
          role="alert"
          className="absolute inset-x-0 top-full z-(--z-header) mt-2 rounded-panel border border-line-strong bg-raised p-4 text-14 text-ink-2 shadow-float sm:w-[380px]"
        >
          The search could not be loaded. Please check your connection.
        </p>
      )}
    </div>
  );
}
