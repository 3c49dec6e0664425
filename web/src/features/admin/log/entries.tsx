import { ArrowDown } from 'lucide-react';
import { Fragment } from 'react';
import type { AdminAct } from '../../../../../src/contract/acts.js';
import { cx } from '../../../lib/cx.js';
import { useMedia } from '../../../lib/use-media.js';
import { STICKY_HEAD } from '../../../components/work-area/sticky-head.js';
import { rowId } from '../../../components/work-area/use-queue.js';
import { WHOLE_ROW } from '../../../components/whole-row.js';
import { formatUtcSecond } from '../../../components/work-area/utc.js';
import { ActDetail, ActName, Entry } from './entry.js';
import { namesIn, subjectText } from '../components/act-text.js';
import { actorName } from './entry-text.js';
import { Named } from '../../../components/name.js';

/** Narrower screens have no room for five columns. */
const ROOM_FOR_TABLE = '(min-width: 860px)';

interface EntriesProps {
  readonly acts: readonly AdminAct[];
  /** When the acts were read, milliseconds since 1970. */
  readonly now: number;
  /** The unfolded entry. */
  readonly open: string | null;
  /** The entry that Tab reaches. */
  readonly tabStop: string | undefined;
  readonly onFocus: (id: string) => void;
  readonly onToggle: (act: AdminAct) => void;
  readonly onCopy: (act: AdminAct) => void;
}

/**
 * The entries as a table, on narrow screens as a list. One tab stop; each row unfolds.
 * @param props.narrow a list in any case: the entries have a part of the width
 */
export function Entries({ narrow, ...props }: EntriesProps & { readonly narrow: boolean }): React.ReactNode {
  const wide = useMedia(ROOM_FOR_TABLE) && !narrow;
  return wide ? <WideEntries {...props} /> : <NarrowEntries {...props} />;
}

const HEAD = cx('h-9 px-3 font-[400]', STICKY_HEAD);
const CELL = 'px-3 py-2';

function WideEntries({ acts, now, open, onCopy, ...row }: EntriesProps): React.ReactNode {
  return (
    <table className="mt-4 w-full table-fixed border-collapse text-14">
      <caption className="sr-only">Acts, the latest first</caption>
      <thead>
        <tr className="text-left text-13 text-ink-2">
          <th scope="col" aria-sort="descending" className={cx(HEAD, 'w-[165px] font-[560] text-ink')}>
            <span className="inline-flex items-center gap-1.5">
              Time, UTC
              <ArrowDown aria-hidden className="size-3.5" />
            </span>
          </th>
          <th scope="col" className={cx(HEAD, 'w-[14%]')}>
            Who
          </th>
          <th scope="col" className={cx(HEAD, 'w-[19%]')}>
            Act
          </th>
          <th scope="col" className={cx(HEAD, 'w-[18%]')}>
            On
          </th>
          <th scope="col" className={HEAD}>
            Detail
          </th>
        </tr>
      </thead>
      <tbody>
        {acts.map((act) => {
          const unfolded = act.id === open;
          return (
            <Fragment key={act.id}>
              <tr
                {...WHOLE_ROW}
                className={cx('h-11 cursor-pointer border-line hover:bg-hover', unfolded ? 'bg-hover' : 'border-b')}
              >
                <td className={cx(CELL, 'whitespace-nowrap tabular-nums text-ink-2', unfolded && 'row-mark')}>
                  <RowButton act={act} now={now} unfolded={unfolded} {...row}>
                    {formatUtcSecond(act.at, now)}
                  </RowButton>
                </td>
                <td
                  translate={act.actor_role === 'system' ? undefined : 'no'}
                  className={cx(CELL, 'break-words', act.actor_role === 'system' && 'text-ink-2')}
                >
                  {actorName(act)}
                </td>
                <td className={CELL}>
                  <ActName act={act} />
                </td>
                <td className={cx(CELL, 'break-words')}>
                  <Named text={subjectText(act)} name={namesIn(act)} />
                </td>
                <td className={cx(CELL, 'text-ink-2')}>
                  <ActDetail act={act} />
                </td>
              </tr>
              {unfolded && (
                <tr className="border-b border-line bg-hover">
                  <td id={partId(act)} colSpan={5} className="px-3 pt-1 pb-4 xl:pl-[177px]">
                    <Entry act={act} onCopy={() => onCopy(act)} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function NarrowEntries({ acts, now, open, onCopy, ...row }: EntriesProps): React.ReactNode {
  return (
    <ul aria-label="Acts, the latest first" className="mt-4 text-14">
      {acts.map((act) => {
        const unfolded = act.id === open;
        return (
          <li key={act.id} className="border-b border-line">
            <RowButton
              act={act}
              now={now}
              unfolded={unfolded}
              {...row}
              className={cx('block w-full px-3 py-2.5 hover:bg-hover', unfolded && 'bg-hover row-mark')}
            >
              <span className="flex justify-between gap-3">
                <span className="min-w-0">
                  <ActName act={act} />
                </span>
                <span className="min-w-0 truncate">
                  <Named text={subjectText(act)} name={namesIn(act)} />
                </span>
              </span>
              <span className="mt-0.5 flex justify-between gap-3 text-ink-2">
                <span className="tabular-nums">{formatUtcSecond(act.at, now)}</span>
                <span translate={act.actor_role === 'system' ? undefined : 'no'} className="min-w-0 truncate">
                  {actorName(act)}
                </span>
              </span>
              <span className="mt-0.5 block text-ink-2">
                <ActDetail act={act} />
              </span>
            </RowButton>
            {unfolded && (
              <div id={partId(act)} className="px-3 py-3">
                <Entry act={act} onCopy={() => onCopy(act)} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const partId = ({ id }: AdminAct): string => `entry-${id}`;

interface RowButtonProps extends Pick<EntriesProps, 'now' | 'tabStop' | 'onFocus' | 'onToggle'> {
  readonly act: AdminAct;
  readonly unfolded: boolean;
  readonly className?: string;
  readonly children: React.ReactNode;
}

function RowButton(props: RowButtonProps): React.ReactNode {
  const { act, unfolded, tabStop, onFocus, onToggle, className, children } = props;
  return (
    <button
      type="button"
      id={rowId(act.id)}
      data-row
      aria-expanded={unfolded}
      aria-controls={unfolded ? partId(act) : undefined}
      tabIndex={act.id === tabStop ? 0 : -1}
      onFocus={() => onFocus(act.id)}
      onClick={() => onToggle(act)}
      className={cx('text-left', className)}
    >
      {children}
    </button>
  );
}
