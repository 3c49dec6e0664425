import { ArrowDown, ChevronRight, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { AdminUserRow, UserFilter, UserSort } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Badge } from '../../../components/badge.js';
import { Pagination } from '../../../components/pagination.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Answer } from '../../../components/work-area/answer.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatCount } from '../../../components/work-area/place-count.js';
import { STICKY_HEAD } from '../../../components/work-area/sticky-head.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { WHOLE_ROW } from '../../../components/whole-row.js';
import { useMoveFocus } from './use-move-focus.js';
import { formatUtcMinute, userName, userPath } from './user-text.js';

const PAGE_SIZE = PAGE_SIZES.users;
/** Wait after the last key before a search, milliseconds. */
const TYPING_MS = 250;
const FILTERS: readonly (readonly [filter: UserFilter, label: string])[] = [
  ['owes', 'Owes credits'],
  ['suspended', 'Suspended'],
  ['paid', 'Has paid credits'],
];

const SORTS: readonly UserSort[] = ['joined', 'paid', 'spent'];

/** All users, with a search and filters, which are in the address. */
export function UserList(): React.ReactNode {
  const { search, filter, sort, sorts, page, change } = useUserSearch();
  useKeys([
    {
      keys: ['Shift ↓'],
      label: 'Sort by column',
      run: () => change('sort', sorts[(sorts.indexOf(sort) + 1) % sorts.length] ?? ''),
    },
  ]);
  const query = useRpc('search_users_admin', {
    p_search: search === '' ? null : search,
    p_filter: filter,
    p_sort: sort,
    p_limit: PAGE_SIZE,
    p_offset: (page - 1) * PAGE_SIZE,
  });
  const total = query.data?.[0]?.total_count ?? 0;
  const wide = useMedia(NOT_MOBILE);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox search={search} onSearch={(text) => change('search', text)} />
        {FILTERS.map(([value, label]) => (
          <button
            key={value}
            type="button"
            aria-pressed={filter === value}
            className={cx(
              'inline-flex h-9 items-center gap-2 rounded-pill border px-3.5 text-14 whitespace-nowrap hover:border-line-strong',
              filter === value ? 'border-line-strong bg-hover font-[560]' : 'border-line text-ink-2',
            )}
            onClick={() => change('filter', filter === value ? '' : value)}
          >
            <span>{label}</span>
            {filter === value && query.data && !query.isPlaceholderData && (
              <span className="tabular-nums">{formatCount(total)}</span>
            )}
          </button>
        ))}
        <p role="status" className="ml-auto text-14 text-ink-2 tabular-nums max-sm:w-full">
          {query.data && `${formatCount(total)} ${total === 1 ? 'user' : 'users'}`}
        </p>
      </div>
      <Answer
        query={query}
        failure="Failed to load users. Please try again."
        loadingText="Loading users..."
        skeleton={<Blocks />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              className="mt-4"
              title={search === '' && filter === null && page === 1 ? 'There are no users yet' : 'No user matches'}
            >
              {(search !== '' || filter !== null || page > 1) && (
                <Link className="link" to="?">
                  Show all
                </Link>
              )}
            </EmptyState>
          ) : (
            <div aria-busy={query.isPlaceholderData} className={cx(query.isPlaceholderData && 'opacity-60')}>
              {wide ? (
                <UserTable rows={rows} sort={sort} sorts={sorts} onSort={(next) => change('sort', next)} />
              ) : (
                <UserRows rows={rows} />
              )}
              {total > PAGE_SIZE && (
                <div className="mt-3.5">
                  <Pagination
                    page={page}
                    pages={Math.ceil(total / PAGE_SIZE)}
                    onPage={(next) => change('page', next === 1 ? '' : String(next))}
                  />
                </div>
              )}
            </div>
          )
        }
      </Answer>
    </>
  );
}

interface UserSearch {
  readonly search: string;
  readonly filter: UserFilter | null;
  readonly sort: UserSort;
  /** The orders that the filter has. */
  readonly sorts: readonly UserSort[];
  /** 1-based. */
  readonly page: number;
  /** An empty value removes it. Anything but a page begins at the first page. */
  readonly change: (name: 'search' | 'filter' | 'sort' | 'page', value: string) => void;
}

function useUserSearch(): UserSearch {
  const [params, setParams] = useSearchParams();
  const filter = FILTERS.find(([value]) => value === params.get('filter'))?.[0] ?? null;
  const sorts = filter === 'paid' ? SORTS.filter((each) => each !== 'joined') : SORTS;
  return {
    search: params.get('search') ?? '',
    filter,
    sort: sorts.find((value) => value === params.get('sort')) ?? sorts[0] ?? 'joined',
    sorts,
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
    change: (name, value) =>
      setParams(
        (before) => {
          if (value === '') before.delete(name);
          else before.set(name, value);
          if (name !== 'page') before.delete('page');
          return before;
        },
        { replace: true },
      ),
  };
}

interface SearchBoxProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

function SearchBox({ search, onSearch }: SearchBoxProps): React.ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search);
  const latest = useRef({ search, onSearch });
  useEffect(() => {
    // Another address: the back button, or 'Show all'.
    if (latest.current.search !== search) setText(search);
    latest.current = { search, onSearch };
  }, [search, onSearch]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const { search: sent, onSearch: send } = latest.current;
      if (text.trim() !== sent) {
        latest.current = { search: text.trim(), onSearch: send };
        send(text.trim());
      }
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useKeys([{ keys: ['/'], label: 'Find', run: () => input.current?.focus() }]);
  return (
    <div className="relative w-full sm:w-80">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-2" />
      <input
        ref={input}
        type="search"
        aria-label="Name, email, user or generation ID"
        placeholder="Name, email, user or generation ID"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="block h-9 w-full rounded-[10px] border border-line bg-surface pr-9 pl-9 text-14"
      />
      <Kbd keys="/" className="pointer-events-none absolute top-2 right-2 text-ink-2 max-sm:hidden" />
    </div>
  );
}

const HEADS: readonly (readonly [text: string, numeric: boolean, className?: string, sort?: UserSort])[] = [
  ['User', false],
  ['Email', false, 'max-lg:hidden'],
  ['Joined', false, 'max-lg:hidden', 'joined'],
  ['Daily', true, 'max-md:hidden'],
  ['Bonus', true, 'max-md:hidden'],
  ['Purchased', true, 'max-md:hidden', 'paid'],
  ['Balance', true],
  ['Spent', true, '', 'spent'],
  ['Pictures', true],
  ['Last seen, UTC', false],
];

interface UserTableProps {
  readonly rows: readonly AdminUserRow[];
  readonly sort: UserSort;
  readonly sorts: readonly UserSort[];
  readonly onSort: (sort: UserSort) => void;
}

function UserTable({ rows, sort, sorts, onSort }: UserTableProps): React.ReactNode {
  const body = useMoveFocus<HTMLTableSectionElement>();
  return (
    <table className="mt-1.5 w-full border-collapse text-14">
      <caption className="sr-only">Users</caption>
      <thead>
        <tr>
          {HEADS.map(([text, numeric, className, by]) => (
            <th
              key={text}
              scope="col"
              aria-sort={by === sort ? 'descending' : undefined}
              className={cx(
                'h-9 px-3 font-[400] text-ink-2',
                STICKY_HEAD,
                numeric ? 'text-right' : 'text-left',
                className,
              )}
            >
              {by && sorts.includes(by) ? (
                <button
                  type="button"
                  className={cx(
                    'inline-flex min-h-6 items-center gap-1 hover:text-ink',
                    by === sort && 'font-[560] text-ink',
                  )}
                  onClick={() => onSort(by)}
                >
                  <span>{text}</span>
                  {by === sort && <ArrowDown aria-hidden className="size-3.5" />}
                </button>
              ) : (
                text
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <tr
            key={row.user_id}
            {...WHOLE_ROW}
            className="h-11 cursor-pointer border-b border-line tabular-nums focus-within:bg-hover hover:bg-hover"
          >
            <th scope="row" className="max-w-64 px-3 text-left font-[560] focus-within:row-mark">
              <Name row={row} />
            </th>
            <td translate="no" className="max-w-60 truncate px-3 text-ink-2 max-lg:hidden">
              {row.email}
            </td>
            <td className="px-3 whitespace-nowrap text-ink-2 max-lg:hidden">{formatUtcDay(row.joined_at)}</td>
            <Credits value={row.daily_credits} className="max-md:hidden" />
            <Credits value={row.bonus_credits} className="max-md:hidden" />
            <Credits value={row.paid_credits} className="max-md:hidden" />
            <td className="px-3 text-right font-[560]">{row.total_balance.toLocaleString('en')}</td>
            <td className="px-3 text-right text-ink-2">{row.spent.toLocaleString('en')}</td>
            <td className="px-3 text-right text-ink-2">{formatCount(row.images)}</td>
            <td className="px-3 whitespace-nowrap text-ink-2">
              <span className="flex items-center justify-between gap-2">
                <span>{lastSeen(row)}</span>
                <ChevronRight aria-hidden className="size-4 shrink-0" />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Credits({ value, className }: { readonly value: number; readonly className: string }): React.ReactNode {
  return (
    <td className={cx('px-3 text-right', value === 0 && 'text-ink-2', className)}>{value.toLocaleString('en')}</td>
  );
}

/** Two lines a user, for phones. */
function UserRows({ rows }: { readonly rows: readonly AdminUserRow[] }): React.ReactNode {
  const list = useMoveFocus<HTMLUListElement>();
  return (
    <ul ref={list} aria-label="Users" className="mt-2">
      {rows.map((row) => (
        <li
          key={row.user_id}
          className="relative flex items-center gap-4 border-b border-line py-2.5 text-14 focus-within:bg-hover [&_a]:after:absolute [&_a]:after:inset-0"
        >
          <div className="min-w-0 flex-1">
            <div className="font-[560]">
              <Name row={row} />
            </div>
            <p translate="no" className="truncate text-ink-2">
              {row.email}
            </p>
          </div>
          <div className="text-right tabular-nums">
            <p className="font-[560]">
              <span>{row.total_balance.toLocaleString('en')}</span>
              <span className="sr-only"> credits</span>
            </p>
            <p className="text-ink-2">{lastSeen(row)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The link to the user. */
function Name({ row }: { readonly row: AdminUserRow }): React.ReactNode {
  return (
    <span className="flex min-w-0 items-center gap-2">
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
      {row.debt > 0 && <Badge tone="warn">owes {row.debt.toLocaleString('en')}</Badge>}
    </>
  );
}

function lastSeen({ last_seen_at }: AdminUserRow): string {
  return last_seen_at === null ? 'Never' : formatUtcMinute(last_seen_at);
}

/** The head and the height of the list, with blocks in place of the values. */
function Blocks(): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const rows = Array.from({ length: PAGE_SIZE }, (_, index) => index);
  if (!wide) {
    return (
      <div className="mt-2">
        {rows.map((row) => (
          <div key={row} className="flex h-[61px] items-center justify-between border-b border-line">
            <Skeleton className="h-3.5 w-40 rounded-pill" />
            <Skeleton className="h-3.5 w-12 rounded-pill" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <table aria-hidden className="mt-1.5 w-full border-collapse text-14">
      <thead>
        <tr>
          {HEADS.map(([text, numeric, className]) => (
            <th
              key={text}
              className={cx('h-9 px-3 font-[400] text-ink-2', numeric ? 'text-right' : 'text-left', className)}
            >
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row} className="h-11 border-b border-line">
            {HEADS.map(([text, numeric, className]) => (
              <td key={text} className={cx('px-3', className)}>
                <Skeleton className={cx('h-3.5 rounded-pill', numeric ? 'ml-auto w-10' : 'w-24')} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
