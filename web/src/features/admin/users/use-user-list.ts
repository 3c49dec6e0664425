import { useSearchParams } from 'react-router-dom';
import { USER_SORTS, type UserFilter, type UserSort } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { pageOf } from '../../../components/pagination.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';

export const USER_FILTERS: readonly (readonly [filter: UserFilter, label: string])[] = [
  ['owes', 'Owes credits'],
  ['suspended', 'Suspended'],
  ['paid', 'Has paid credits'],
];

/** The users that the address names: search, filter, order and page. */
export function useUserList() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const filter = USER_FILTERS.find(([value]) => value === params.get('filter'))?.[0] ?? null;
  // The orders that the filter has.
  const sorts: readonly UserSort[] = filter === 'paid' ? USER_SORTS.filter((each) => each !== 'joined') : USER_SORTS;
  const sort = sorts.find((value) => value === params.get('sort')) ?? sorts[0] ?? 'joined';
  const page = pageOf(params);
  // An empty value removes it. Anything but a page begins at the first page.
  const change = (name: 'search' | 'filter' | 'sort' | 'page', value: string): void =>
    setParams(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        if (name !== 'page') before.delete('page');
        return before;
      },
      { replace: true },
    );
  useKeys([
    {
      keys: ['Shift ↓'],
      label: 'Sort by column',
      run: () => change('sort', sorts[(sorts.indexOf(sort) + 1) % sorts.length] ?? ''),
    },
  ]);
  const list = useNumberedPages(
    'search_users_admin',
    { p_search: search === '' ? null : search, p_filter: filter, p_sort: sort },
    PAGE_SIZES.users,
    { at: [page, (next) => change('page', next === 1 ? '' : String(next))] },
  );
  return { search, filter, sort, sorts, list, change, isAll: search === '' && filter === null && page === 1 };
}
