import { WorkLayout, type AreaLayoutProps } from '../../../components/work-area/work-layout.js';
import { Find } from './find.js';
import { AUDIT_PAGES } from './menu.js';

/** The frame of the audit area: header with area switch, pages, Find and the account. */
export function AuditLayout(props: AreaLayoutProps): React.ReactNode {
  return (
    <WorkLayout {...props} area="Audit" pages={AUDIT_PAGES} roleRefusal="Auditor privileges required" find={<Find />} />
  );
}
