import { Search } from 'lucide-react';
import { useRef } from 'react';
import { cx } from '../../lib/cx.js';
import { Kbd } from './kbd.js';
import { useKeys } from './keys.js';

interface SearchFieldProps extends Omit<React.ComponentProps<'input'>, 'onChange'> {
  /** Its name for screen readers. */
  readonly label: string;
  readonly onText: (text: string) => void;
}

/** A field that searches. The width is that of its place. */
export function SearchField({ label, onText, className, ...input }: SearchFieldProps): React.ReactNode {
  return (
    <>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-2" />
      <input
        {...input}
        type="search"
        aria-label={label}
        onChange={(event) => onText(event.target.value)}
        className={cx('block w-full rounded-ctl border pl-9 text-14 placeholder:text-ink-2', className)}
      />
    </>
  );
}

/** The look of a {@link SearchField} that `/` leads to, with the key at its end. */
export function KeyedSearchField(props: SearchFieldProps): React.ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useKeys([{ keys: ['/'], label: 'Find', run: () => field.current?.focus() }]);
  return (
    <>
      <SearchField
        {...props}
        ref={field}
        className="h-9 border-line bg-surface pr-2 hover:border-line-strong sm:pr-9"
      />
      <Kbd keys="/" className="pointer-events-none absolute top-2 right-2 text-ink-2 max-sm:hidden" />
    </>
  );
}
