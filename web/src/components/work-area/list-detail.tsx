import { ArrowLeft } from 'lucide-react';
import { Button } from '../button.js';
import { cx } from '../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../lib/use-media.js';
import { rowId, type Queue } from './use-queue.js';

interface ListDetailProps<Row> {
  readonly queue: Queue<Row>;
  /** Name of the list for screen readers: `Open reports`. */
  readonly label: string;
  /** The heads of the columns. */
  readonly head?: React.ReactNode;
  readonly row: (row: Row, open: boolean) => React.ReactNode;
  /** Below the rows. */
  readonly foot?: React.ReactNode;
  /** Names the region of the open row. */
  readonly detailLabel: (row: Row) => string;
  readonly detail: (row: Row) => React.ReactNode;
  /** The open row stays in view while a long list scrolls. */
  readonly sticky?: boolean;
  /** The list takes the width that the open row leaves. */
  readonly fills?: boolean;
}

/**
 * The rows of a queue with the open one next to them; on phones first the list, then the row with a way back. The list
 * is one tab stop.
 */
export function ListDetail<Row>(props: ListDetailProps<Row>): React.ReactNode {
  const { queue, label, head, row: content, foot, detailLabel, detail, sticky = false, fills = false } = props;
  const { rows, keyOf, current, open, close } = queue;
  const wide = useMedia(NOT_MOBILE);
  const stop = current ?? rows[0];
  const list = (
    <section aria-label={label}>
      {head}
      <ul>
        {rows.map((row) => (
          <li key={keyOf(row)}>
            <button
              type="button"
              id={rowId(keyOf(row))}
              tabIndex={row === stop ? 0 : -1}
              aria-current={row === current || undefined}
              onClick={() => open(row)}
              className={cx(
                'relative block w-full border-b border-line text-left hover:bg-hover',
                row === current &&
                  'bg-hover before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-seal-mark',
              )}
            >
              {content(row, row === current)}
            </button>
          </li>
        ))}
      </ul>
      {foot}
    </section>
  );
  const region = current !== null && (
    <section
      key={keyOf(current)}
      aria-label={detailLabel(current)}
      className={cx('min-w-0 lg:border-l lg:border-line lg:pl-8', sticky && 'lg:sticky lg:top-20')}
    >
      {detail(current)}
    </section>
  );
  const alone = !wide && region !== false;
  // The region keeps its place among the children: what is filled in stays when a tablet is turned.
  return (
    <div
      className={cx(
        wide && 'mt-4 grid items-start gap-x-8 gap-y-8',
        wide && (fills ? 'lg:grid-cols-[minmax(0,1fr)_420px]' : 'lg:grid-cols-[minmax(300px,420px)_minmax(0,1fr)]'),
        !wide && !alone && 'mt-3',
      )}
    >
      {!alone && list}
      {alone && (
        <Button kind="quiet" size={32} className="mb-3 -ml-3" onClick={close}>
          <ArrowLeft aria-hidden className="size-4" />
          Back to the list
        </Button>
      )}
      {region}
    </div>
  );
}
