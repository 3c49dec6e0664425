import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { usePublicCreators } from '../api/get-public-creators.js';
import { cx } from '../../../lib/cx.js';
import { Avatar } from '../../../components/avatar.js';
import { creatorMatches, nextSuggestion } from '../creator-matches.js';

interface CreatorSearchProps {
  /** Takes the focus when it appears. */
  readonly focusAtOnce?: boolean;
  /** Called after a choice, or after Escape in an empty box. */
  readonly onDone?: () => void;
}

/** Finds a creator by name, username or style: a combobox with at most five suggestions. */
export function CreatorSearch({ focusAtOnce = false, onDone }: CreatorSearchProps): React.ReactNode {
  const id = useId();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(focusAtOnce);
  const [active, setActive] = useState(-1);
  const { data, isError, refetch } = usePublicCreators({ enabled: wanted });

  useEffect(() => {
    if (focusAtOnce) input.current?.focus();
  }, [focusAtOnce]);

  const found = creatorMatches(data ?? [], text);
  const showList = open && found.length > 0;
  const showNote = open && text.trim() !== '' && found.length === 0 && (data !== undefined || isError);

  function choose(creator: PublicCreator): void {
    setText('');
    setOpen(false);
    input.current?.blur();
    void navigate(`/${creator.username}`);
    onDone?.();
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        setOpen(true);
        if (found.length === 0) return;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        setActive((now) => nextSuggestion(now, step, found.length));
        return;
      }
      case 'Enter': {
        const creator = found[active] ?? (found.length === 1 ? found[0] : undefined);
        if (showList && creator) {
          event.preventDefault();
          choose(creator);
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
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label="Creators"
        hidden={!showList}
        className="absolute inset-x-0 top-full z-(--z-header) mt-2 rounded-panel border border-line-strong bg-raised p-2 shadow-float"
      >
        {found.map((creator, index) => (
          // The input keeps the focus and handles the keys (aria-activedescendant).
          // eslint-disable-next-line jsx-a11y-x/click-events-have-key-events
          <li
            key={creator.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setActive(index)}
            onClick={() => choose(creator)}
            className={cx('flex cursor-pointer items-center gap-3 rounded-[10px] p-2', index === active && 'bg-hover')}
          >
            <Avatar name={creator.name} image={creator.profile} src={creator.profile_image} shape="tile" />
            <span className="min-w-0">
              <span className="block truncate text-14 font-[600]">{creator.name}</span>
              <span className="block truncate text-14 text-ink-2">
                @{creator.username}
                {creator.style && ` · ${creator.style}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <div role="status">
        {showNote && (
          <div className="absolute inset-x-0 top-full z-(--z-header) mt-2 rounded-panel border border-line-strong bg-raised p-4 text-14 text-ink-2 shadow-float">
            {isError ? (
              <>
                Creators could not be loaded.{' '}
                <button type="button" className="link" onClick={() => void refetch()}>
                  Retry
                </button>
              </>
            ) : (
              'No creator by that name or style.'
            )}
          </div>
        )}
        {showList && (
          <span className="sr-only">{`${found.length} ${found.length === 1 ? 'creator' : 'creators'} found`}</span>
        )}
      </div>
    </div>
  );
}
