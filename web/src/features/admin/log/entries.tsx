import type { AdminAct } from '../../../../../src/contract/acts.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { formatUtcSecond } from '../../../components/work-area/utc.js';
import { namesIn, subjectText } from '../components/act-text.js';
import { ActDetail, ActName } from './entry.js';
import { actorName } from './entry-text.js';
import { Named } from '../../../components/name.js';

/** The columns of the log. @param now when the acts were read, milliseconds since 1970 */
export function logColumns(now: number): readonly ListColumn<AdminAct>[] {
  return [
    {
      label: 'Time, UTC',
      muted: true,
      sort: 'time',
      className: 'w-[165px] whitespace-nowrap',
      cell: ({ at }) => formatUtcSecond(at, now),
    },
    {
      label: 'Who',
      className: 'w-[14%] break-words',
      cell: (act) => <Who act={act} />,
    },
    { label: 'Act', cell: (act) => <ActName act={act} />, className: 'w-[19%]' },
    {
      label: 'On',
      cell: (act) => <Named text={subjectText(act)} name={namesIn(act)} />,
      className: 'w-[18%] break-words',
    },
    { label: 'Detail', cell: (act) => <ActDetail act={act} />, muted: true },
  ];
}

function Who({ act }: { readonly act: AdminAct }): React.ReactNode {
  if (act.actor_role === 'system') return <span className="text-ink-2">{actorName(act)}</span>;
  return <span translate="no">{actorName(act)}</span>;
}

interface ActItemProps {
  readonly act: AdminAct;
  /** See {@link logColumns}. */
  readonly now: number;
}

/** An act where there is no room for columns. */
export function ActItem({ act, now }: ActItemProps): React.ReactNode {
  return (
    <>
      <span className="flex justify-between gap-3">
        <span className="min-w-0">
          <ActName act={act} />
        </span>
        <span className="min-w-0 truncate">
          <Named text={subjectText(act)} name={namesIn(act)} />
        </span>
      </span>
      <span className="mt-0.5 flex justify-between gap-3 text-ink-2">
        <span>{formatUtcSecond(act.at, now)}</span>
        <span className="min-w-0 truncate">
          <Who act={act} />
        </span>
      </span>
      <span className="mt-0.5 block text-ink-2">
        <ActDetail act={act} />
      </span>
    </>
  );
}
