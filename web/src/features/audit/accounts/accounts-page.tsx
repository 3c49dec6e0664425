import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { LedgerAccount } from '../../../../../src/contract/audit.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer } from '../../../components/work-area/answer.js';
import { STICKY_HEAD_FROM_LG } from '../../../components/work-area/sticky-head.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { accountPath } from '../audit-paths.js';
import { shortHash } from '../audit-text.js';

const PAGE_SIZE = 50;
const HEADS = [
  'Account',
  'Last event, UTC',
  'Version',
  'Head',
  'Daily',
  'Bonus',
  'Purchased',
  'Balance',
  'Owed',
] as const;
const NUMERIC = new Set<string>(['Version', 'Daily', 'Bonus', 'Purchased', 'Balance', 'Owed']);

/** /audit: all accounts of the ledger by user id. */
export default function AccountsPage(): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const after = params.get('after');
  // The pages before this one, for the way back.
  const [passed, setPassed] = useState<readonly (string | null)[]>([]);
  const query = useRpc('list_ledger_accounts', { p_limit: PAGE_SIZE, ...(after === null ? {} : { p_after: after }) });
  const show = (next: string | null): void => {
    setParams(next === null ? {} : { after: next });
    document.getElementById('main')?.focus();
  };
  return (
    <WorkPage title="Accounts" footer="Read only. Which account was asked for, and by whom, is in the log">
      <Answer
        query={query}
        failure="Failed to load the accounts. Please try again."
        loadingText="Loading accounts..."
        skeleton={<Skeleton className="mt-6 h-96 rounded-sm" />}
      >
        {({ accounts, next }) => (
          <div className={query.isPlaceholderData ? 'opacity-60' : undefined} aria-busy={query.isPlaceholderData}>
            {accounts.length === 0 ? (
              <EmptyState className="mt-6" title="No accounts">
                An account begins with the first credits of a user.
              </EmptyState>
            ) : (
              <AccountTable accounts={accounts} />
            )}
            <nav aria-label="Pages" className="mt-4 flex gap-2">
              <Button
                size={32}
                disabled={after === null}
                onClick={() => {
                  show(passed.at(-1) ?? null);
                  setPassed(passed.slice(0, -1));
                }}
              >
                Previous
              </Button>
              <Button
                size={32}
                disabled={next === null}
                onClick={() => {
                  setPassed([...passed, after]);
                  show(next);
                }}
              >
                Next
              </Button>
            </nav>
          </div>
        )}
      </Answer>
    </WorkPage>
  );
}

function AccountTable({ accounts }: { readonly accounts: readonly LedgerAccount[] }): React.ReactNode {
  return (
    <div role="region" aria-label="Accounts" tabIndex={0} className="mt-4 max-lg:overflow-x-auto">
      <table className="w-full border-collapse text-14 tabular-nums">
        <caption className="sr-only">Accounts by user id</caption>
        <thead>
          <tr className="text-13 text-ink-2">
            {HEADS.map((head) => (
              <th
                key={head}
                scope="col"
                className={cx(
                  'h-9 px-3 font-[400] whitespace-nowrap',
                  STICKY_HEAD_FROM_LG,
                  NUMERIC.has(head) ? 'text-right' : 'text-left',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <AccountRow key={account.user_id} account={account} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AccountRow({ account }: { readonly account: LedgerAccount }): React.ReactNode {
  const { user_id: userId, version, head, last_event_at: last, balance, owed, balance_version: projected } = account;
  const figures = [balance.daily, balance.bonus, balance.paid];
  return (
    <tr className="border-b border-line hover:bg-hover">
      <th scope="row" className="px-3 py-2 text-left font-[560] whitespace-nowrap">
        <Link translate="no" to={accountPath(userId)} className="link">
          {userId}
        </Link>
      </th>
      <td className="px-3 whitespace-nowrap text-ink-2">
        {last === null ? 'none' : formatUtcInstant(last).slice(0, -4)}
      </td>
      <td className="px-3 text-right">
        <span>{version ?? 'none'}</span>
        {version !== null && projected < version && (
          <span className="block text-13 text-warn">balance of {projected}</span>
        )}
      </td>
      <td translate="no" className="px-3 text-ink-2">
        {shortHash(head)}
      </td>
      {figures.map((figure, index) => (
        <td key={index} className={cx('px-3 text-right', figure === 0 && 'text-ink-3')}>
          {figure.toLocaleString('en-US')}
        </td>
      ))}
      <td className="px-3 text-right font-[600]">{balance.total.toLocaleString('en-US')}</td>
      <td className={cx('px-3 text-right', owed === 0 ? 'text-ink-3' : 'text-bad')}>{owed.toLocaleString('en-US')}</td>
    </tr>
  );
}
