import { FindField } from '../../../components/work-area/find-field.js';
import { findPath } from '../audit-paths.js';

/** The field that looks for an id of any kind in the whole ledger. */
export function Find(): React.ReactNode {
  return (
    <FindField
      label="User, event or session ID"
      placeholder="Find an ID"
      maxLength={200}
      className="w-[132px] sm:w-[200px]"
      pathOf={findPath}
    />
  );
}
