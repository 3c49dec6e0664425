import { WorkLayout } from '../../../components/work-area/work-layout.js';
import { AuditLink, type AuditPath } from './audit-link.js';
import { Find } from './find.js';
import { PLACES } from './places.js';

interface FinanceLayoutProps {
  /** Where the area switch leads. */
  readonly otherAreas: readonly { readonly to: string; readonly label: string }[];
  /** Null for people who may not see the audit area. */
  readonly auditPath: AuditPath | null;
  readonly account: React.ReactNode;
  /** The page: main and footer. */
  readonly children: React.ReactNode;
}

const hasPage = (): boolean => true;

/** The frame of the finance area: header with area switch, places, Find and the account. */
export function FinanceLayout({ auditPath, ...props }: FinanceLayoutProps): React.ReactNode {
  return (
    <AuditLink value={auditPath}>
      <WorkLayout
        {...props}
        area="Finance"
        places={PLACES}
        hasPage={hasPage}
        roleRefusal="Finance privileges required"
        find={<Find />}
      />
    </AuditLink>
  );
}
