import { WorkLayout } from '../../../components/work-area/work-layout.js';
import { AuditLink, type AuditPath } from './audit-link.js';
import { Find } from './find.js';
import { PLACES } from './places.js';
import { AdminRole } from './role.js';

interface FinanceLayoutProps {
  /** Where the area switch leads. */
  readonly otherAreas: readonly { readonly to: string; readonly label: string }[];
  /** Null for people who may not see the audit area. */
  readonly auditPath: AuditPath | null;
  /** The person is an admin too: they check payout runs and record transfers. */
  readonly isAdmin: boolean;
  readonly account: React.ReactNode;
  /** The page: main and footer. */
  readonly children: React.ReactNode;
}

const hasPage = (): boolean => true;

/** The frame of the finance area: header with area switch, places, Find and the account. */
export function FinanceLayout({ auditPath, isAdmin, ...props }: FinanceLayoutProps): React.ReactNode {
  return (
    <AuditLink value={auditPath}>
      <AdminRole value={isAdmin}>
        <WorkLayout
          {...props}
          area="Finance"
          places={PLACES}
          hasPage={hasPage}
          roleRefusal="Finance privileges required"
          find={<Find />}
        />
      </AdminRole>
    </AuditLink>
  );
}
