import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { VerificationResult } from '../../../../../src/contract/audit.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { cx } from '../../../lib/cx.js';
import { checksOf, type CheckRow } from './verification-checks.js';

const HEAD = 'h-9 px-3 text-left text-13 font-[400] text-ink-2';

/** The checks of the newest full verification: both sides of each, how much was compared, and its problems. */
export function CheckTable({ result }: { readonly result: VerificationResult }): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const checks = checksOf(result);
  if (!wide) {
    return (
      <ul aria-label="Checks" className="mt-8 text-14">
        {checks.map((check) => (
          <li key={check.name} className="border-b border-line py-3">
            <p className="flex items-center justify-between gap-4">
              <Name check={check} />
              <Problems problems={check.problems} />
            </p>
            <p className="mt-1 text-ink-2">{check.compares}</p>
            <p className="mt-0.5 tabular-nums">{check.compared}</p>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <table className="mt-8 w-full border-collapse text-14">
      <caption className="sr-only">Checks of the newest full verification</caption>
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className={cx(HEAD, 'w-[150px]')}>
            Check
          </th>
          <th scope="col" className={HEAD}>
            What it compares
          </th>
          <th scope="col" className={cx(HEAD, 'w-[440px]')}>
            Compared
          </th>
          <th scope="col" className={cx(HEAD, 'w-[90px] text-right')}>
            Problems
          </th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check) => (
          <tr key={check.name} className="h-12 border-b border-line">
            <th scope="row" className="px-3 py-2.5 text-left font-[400]">
              <Name check={check} />
            </th>
            <td className="px-3 py-2.5 text-ink-2">{check.compares}</td>
            <td className="px-3 py-2.5 tabular-nums">{check.compared}</td>
            <td className="px-3 py-2.5 text-right">
              <Problems problems={check.problems} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
