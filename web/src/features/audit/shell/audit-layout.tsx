import { WorkLayout, type AreaLayoutProps } from '../../../components/work-area/work-layout.js';
import { Find } from './find.js';
import { PLACES } from './places.js';

/** The frame of the audit area: header with area switch, places, Find and the account. */
export function AuditLayout(props: AreaLayoutProps): React.ReactNode {
  return (
    <WorkLayout {...props} area="Audit" places={PLACES} roleRefusal="Auditor privileges required" find={<Find />} />
  );
}
