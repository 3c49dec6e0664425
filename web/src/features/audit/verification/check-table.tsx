import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { VerificationResult } from '../../../../../src/contract/audit.js';
import { ListRows, type ListColumn } from '../../../components/work-area/list-rows.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { cx } from '../../../lib/cx.js';
import { checksOf, type CheckRow } from './verification-checks.js';

const COLUMNS: readonly ListColumn<CheckRow>[] = [
  { label: 'Check', cell: (check) => <Name check={check} />, className: 'w-[150px]' },
  { label: 'What it compares', cell: ({ compares }) => compares, muted: true },
  { label: 'Compared', cell: ({ compared }) => compared, className: 'w-[440px]' },
  {
    label: 'Problems',
    numeric: true,
    className: 'w-[90px]',
    cell: ({ problems }) => <Problems problems={problems} />,
  },
];

/** The checks of the newest full verification: both sides of each, how much was compared, and its problems. */
export function CheckTable({ result }: { readonly result: VerificationResult }): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  return (
    <ListRows
      caption={wide ? 'Checks of the newest full verification' : 'Checks'}
      rows={checksOf(result)}
      rowKey={({ name }) => name}
      columns={COLUMNS}
      item={(check) => (
        <div className="w-full">
          <p className="flex items-center justify-between gap-4">
            <Name check={check} />
            <Problems problems={check.problems} />
          </p>
          <p className="mt-1 text-ink-2">{check.compares}</p>
          <p className="mt-0.5">{check.compared}</p>
        </div>
      )}
      className="mt-8"
    />
  );
}

function Name({ check: { name, problems } }: { readonly check: CheckRow }): React.ReactNode {
  const Icon = problems === 0 ? CircleCheck : TriangleAlert;
  return (
    <span className="flex items-center gap-2 font-[600]">
      <Icon aria-hidden className={cx('size-4 shrink-0', problems === 0 ? 'text-good' : 'text-warn')} />
      <span>{name}</span>
    </span>
  );
}

function Problems({ problems }: { readonly problems: number }): React.ReactNode {
  return (
    <span className={cx('font-[600] tabular-nums', problems > 0 && 'text-warn')}>
      <span>{problems.toLocaleString('en-US')}</span>
      <span className="sr-only sm:hidden">{problems === 1 ? ' problem' : ' problems'}</span>
    </span>
  );
}
