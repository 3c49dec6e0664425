import { Link } from 'react-router-dom';
import type { LedgerAccount } from '../../../../../src/contract/audit.js';
import { EmptyState } from '../../../components/states.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { accountPath } from '../audit-paths.js';
import { shortHash } from '../audit-text.js';

const PAGE_SIZE = 50;
const figure = (value: number): React.ReactNode => (
  <span className={value === 0 ? 'text-ink-3' : undefined}>{value.toLocaleString('en-US')}</span>
);
const COLUMNS: readonly ListColumn<LedgerAccount>[] = [
  {
    label: 'Account',
    cell: ({ user_id: userId }) => (
      <Link translate="no" to={accountPath(userId)} className="link font-[560]" data-row>
        {userId}
      </Link>
    ),
    className: 'sm:whitespace-nowrap max-sm:[overflow-wrap:anywhere]',
  },
  {
    label: 'Last event, UTC',
    muted: true,
    className: 'whitespace-nowrap',
    wideOnly: true,
    cell: ({ last_event_at: last }) => (last === null ? 'none' : formatUtcInstant(last).slice(0, -4)),
  },
  { label: 'Version', cell: (account) => <Version account={account} />, numeric: true, wideOnly: true },
  { label: 'Head', cell: ({ head }) => <span translate="no">{shortHash(head)}</span>, muted: true, wideOnly: true },
  { label: 'Daily', cell: ({ balance }) => figure(balance.daily), numeric: true, wideOnly: true },
  { label: 'Bonus', cell: ({ balance }) => figure(balance.bonus), numeric: true, wideOnly: true },
  { label: 'Purchased', cell: ({ balance }) => figure(balance.paid), numeric: true, wideOnly: true },
  {
    label: 'Balance',
    numeric: true,
    cell: ({ balance }) => <b className="font-[600]">{balance.total.toLocaleString('en-US')}</b>,
  },
  {
    label: 'Owed',
    numeric: true,
    cell: ({ owed }) => <span className={owed === 0 ? 'text-ink-3' : 'text-bad'}>{owed.toLocaleString('en-US')}</span>,
  },
];

/** /audit: all accounts of the ledger by user id. */
export default function AccountsPage(): React.ReactNode {
  const list = useLinkedPages(
    'list_ledger_accounts',
    { p_limit: PAGE_SIZE },
    { field: 'p_after', rows: ({ accounts }) => accounts, param: 'after' },
  );
  return (
    <WorkPage title="Accounts" footer="Read only. Which account was asked for, and by whom, is in the log">
      <RpcList
        list={list}
        words={loadWords('the accounts', 'accounts')}
        empty={<EmptyState title="No accounts">An account begins with the first credits of a user.</EmptyState>}
        caption="Accounts by user id"
        columns={COLUMNS}
        rowKey={({ user_id: id }) => id}
        linked
        below={({ head, last_event_at: last }) =>
          last === null ? 'No events' : `${formatUtcInstant(last).slice(0, -4)} · ${shortHash(head)}`
        }
        scrolls="narrow"
        className="mt-4"
      />
    </WorkPage>
  );
}

function Version({
  account: { version, balance_version: projected },
}: {
  readonly account: LedgerAccount;
}): React.ReactNode {
  return (
    <>
      <span>{version ?? 'none'}</span>
      {version !== null && projected < version && (
        <span className="block text-13 text-warn">balance of {projected}</span>
      )}
    </>
  );
}
