import { useId, useState } from 'react';
import { cx } from '../lib/cx.js';

interface TableToggleProps {
  /** Text before the button. */
  readonly note?: React.ReactNode;
  /** The figures of the chart above. Screen readers have them also while they are hidden. */
  readonly children: React.ReactNode;
}

/** A button below a chart that shows its figures as a table. */
export function TableToggle({ note, children }: TableToggleProps): React.ReactNode {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <p className="mt-2 text-13 text-ink-2">
        <span>{note}</span>{' '}
        <button
          type="button"
          className="link tap"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide the table' : 'Show as a table'}
        </button>
      </p>
      <div id={id} className={cx(!open && 'sr-only')}>
        {children}
      </div>
    </>
  );
}
