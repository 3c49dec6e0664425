import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { AdminUserRow } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Badge } from '../../../components/badge.js';
import { EmptyState } from '../../../components/states.js';
import { FilterChip } from '../../../components/work-area/filter-chip.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { formatCount } from '../../../components/work-area/page-count.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { KeyedSearchField } from '../../../components/work-area/search-field.js';
import { useTypedSearch } from '../../../components/work-area/use-typed-search.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { USER_FILTERS, useUserList } from './use-user-list.js';
import { formatUtcMinute, userName, userPath } from './user-text.js';

/** All users, with a search and filters, which are in the address. */
export function UserList(): React.ReactNode {
  const { search, filter, sort, sorts, list, change, isAll } = useUserList();
  const { query, total } = list;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox search={search} onSearch={(text) => change('search', text)} />
        {USER_FILTERS.map(([value, label]) => (
          <FilterChip
            key={value}
            pressed={filter === value}
            onPress={() => change('filter', filter === value ? '' : value)}
          >
            <span>{label}</span>
            {filter === value && query.data && !query.isPlaceholderData && (
              <span className="tabular-nums">{formatCount(total)}</span>
            )}
          </FilterChip>
        ))}
        <p role="status" className="ml-auto text-14 text-ink-2 tabular-nums max-sm:w-full">
          {query.data && `${formatCount(total)} ${total === 1 ? 'user' : 'users'}`}
        </p>
      </div>
      <RpcList
        list={list}
        words={loadWords('users')}
        empty={
          <EmptyState title={isAll ? 'There are no users yet' : 'No user matches'}>
            {!isAll && (
              <Link className="link" to="?">
                Show all
              </Link>
            )}
          </EmptyState>
        }
        blocks={PAGE_SIZES.users}
        caption="Users"
        columns={COLUMNS}
        rowKey={({ user_id: id }) => id}
        item={(row) => <UserItem row={row} />}
        linked
        sort={{ by: sort, all: sorts, onSort: (by) => change('sort', by) }}
        keys={{}}
        className="mt-1.5"
      />
    </>
  );
}

interface SearchBoxProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

function SearchBox({ search, onSearch }: SearchBoxProps): React.ReactNode {
  const [text, setText] = useTypedSearch(search, onSearch);
  return (
    <div className="relative w-full sm:w-80">
      <KeyedSearchField
        label="Name, email, user or generation ID"
        placeholder="Name, email, user or generation ID"
        maxLength={200}
        value={text}
        onText={setText}
      />
    </div>
  );
}

const figure = (value: number): string => value.toLocaleString('en');
const credits = (value: number): React.ReactNode => (
  <span className={value === 0 ? 'text-ink-2' : undefined}>{figure(value)}</span>
);
const COLUMNS: readonly ListColumn<AdminUserRow>[] = [
  { label: 'User', cell: (row) => <Name row={row} />, className: 'max-w-64' },
  {
    label: 'Email',
    cell: ({ email }) => <span translate="no">{email}</span>,
    muted: true,
    className: 'max-w-60 truncate max-lg:hidden',
  },
  {
    label: 'Joined',
    cell: ({ joined_at: at }) => formatUtcDay(at),
    muted: true,
    sort: 'joined',
    className: 'whitespace-nowrap max-lg:hidden',
  },
  { label: 'Daily', cell: (row) => credits(row.daily_credits), numeric: true, className: 'max-md:hidden' },
  { label: 'Bonus', cell: (row) => credits(row.bonus_credits), numeric: true, className: 'max-md:hidden' },
  {
    label: 'Purchased',
    cell: (row) => credits(row.paid_credits),
    numeric: true,
    sort: 'paid',
    className: 'max-md:hidden',
  },
  { label: 'Balance', cell: (row) => <b className="font-[560]">{figure(row.total_balance)}</b>, numeric: true },
  { label: 'Spent', cell: (row) => figure(row.spent), numeric: true, muted: true, sort: 'spent' },
  { label: 'Pictures', cell: (row) => formatCount(row.images), numeric: true, muted: true },
  {
    label: 'Last seen, UTC',
    cell: (row) => (
      <span className="flex items-center justify-between gap-2">
        <span>{lastSeen(row)}</span>
        <ChevronRight aria-hidden className="size-4 shrink-0" />
      </span>
    ),
    muted: true,
    className: 'whitespace-nowrap',
  },
];

/** A user in two lines, for phones. */
function UserItem({ row }: { readonly row: AdminUserRow }): React.ReactNode {
  return (
    <>
      <div className="min-w-0 flex-1">
        <Name row={row} />
        <p translate="no" className="truncate text-ink-2">
          {row.email}
        </p>
      </div>
      <div className="text-right">
        <p className="font-[560]">
          <span>{figure(row.total_balance)}</span>
          <span className="sr-only"> credits</span>
        </p>
        <p className="text-ink-2">{lastSeen(row)}</p>
      </div>
    </>
  );
}

/** The link to the user. */
function Name({ row }: { readonly row: AdminUserRow }): React.ReactNode {
  return (
    <span className="flex min-w-0 items-center gap-2 font-[560]">
      <Link translate="no" to={userPath(row.user_id)} data-row className="truncate">
        {userName(row)}
      </Link>
      <UserBadges row={row} />
    </span>
  );
}

/** Whether a user is suspended or owes credits. */
export function UserBadges({ row }: { readonly row: Pick<AdminUserRow, 'suspended' | 'debt'> }): React.ReactNode {
  return (
    <>
      {row.suspended && <Badge tone="bad">suspended</Badge>}
      {row.debt > 0 && <Badge tone="warn">owes {figure(row.debt)}</Badge>}
    </>
  );
}

function lastSeen({ last_seen_at }: AdminUserRow): string {
  return last_seen_at === null ? 'Never' : formatUtcMinute(last_seen_at);
}
