import { FindField } from '../../../components/work-area/find-field.js';

/** The field that looks for accounts of the books, creators and entries. */
export function Find(): React.ReactNode {
  return (
    <FindField
      label="Find an account, a creator or an entry"
      placeholder="Find"
      maxLength={220}
      className="w-[104px] sm:w-[170px]"
      pathOf={(text) => `/finance/find?${new URLSearchParams({ q: text }).toString()}`}
    />
  );
}
