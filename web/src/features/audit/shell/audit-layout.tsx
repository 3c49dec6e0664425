import { WorkLayout } from '../../../components/work-area/work-layout.js';
import { Find } from './find.js';
import { PLACES } from './places.js';

interface AuditLayoutProps {
  /** Where the area switch leads. */
  readonly otherAreas: readonly { readonly to: string; readonly label: string }[];
  readonly account: React.ReactNode;
  /** The page: main and footer. */
  readonly children: React.ReactNode;
}

/** The frame of the audit area: header with area switch, places, Find and the account. */
export function AuditLayout(props: AuditLayoutProps): React.ReactNode {
  return (
    <WorkLayout {...props} area="Audit" places={PLACES} roleRefusal="Auditor privileges required" find={<Find />} />
  );
}
