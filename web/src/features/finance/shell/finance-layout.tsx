import { liveTimings } from '../../../components/work-area/live.js';
import { PageCount } from '../../../components/work-area/page-count.js';
import { WorkLayout, type AreaLayoutProps } from '../../../components/work-area/work-layout.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { AuditLink, type AuditPath } from './audit-link.js';
import { Find } from './find.js';
import { FINANCE_PAGES } from './menu.js';
import { AdminRole } from './role.js';

interface FinanceLayoutProps extends AreaLayoutProps {
  /** Null for people who may not see the audit area. */
  readonly auditPath: AuditPath | null;
  /** The person is an admin too: they check payout runs and record transfers. */
  readonly isAdmin: boolean;
}

/** The page that shows the number of open differences. */
const COUNTED = '/finance/reconciliation';

/** The frame of the finance area: header with area switch, pages with live counts, Find and the account. */
export function FinanceLayout({ auditPath, isAdmin, ...props }: FinanceLayoutProps): React.ReactNode {
  const { data: differences } = useRpc('get_open_difference_count', {}, liveTimings);
  return (
    <AuditLink value={auditPath}>
      <AdminRole value={isAdmin}>
        <WorkLayout
          {...props}
          area="Finance"
          pages={FINANCE_PAGES}
          mark={({ path }) => path === COUNTED && <PageCount count={differences?.open} noun="open" />}
          roleRefusal="Finance privileges required"
          find={<Find />}
        />
      </AdminRole>
    </AuditLink>
  );
}
