import { useRoutes } from 'react-router-dom';
import { AuditLayout } from '../features/audit/shell/audit-layout.js';
import { AreaAccount } from './area-account.js';
import { areaCode, AreaOutlet, areaRoutes } from './area-routes.js';
import { auditPages } from './audit-pages.js';
import { useOtherAreas } from './shell/use-other-areas.js';

const children = areaRoutes('/audit', auditPages);

export const code = areaCode(auditPages);

/** The audit area: its frame and its pages. Rendered below the guard only. */
export default function AuditArea(): React.ReactNode {
  return useRoutes([{ Component: Frame, children }]);
}

function Frame(): React.ReactNode {
  return (
    <AuditLayout otherAreas={useOtherAreas('/audit')} account={<AreaAccount />}>
      <AreaOutlet />
    </AuditLayout>
  );
}
