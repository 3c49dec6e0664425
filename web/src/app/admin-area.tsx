import { useRoutes } from 'react-router-dom';
import { AdminLayout } from '../features/admin/shell/admin-layout.js';
import { adminPages } from './admin-pages.js';
import { AreaAccount } from './area-account.js';
import { areaCode, AreaOutlet, areaRoutes } from './area-routes.js';
import { useOtherAreas } from './shell/use-other-areas.js';

const children = areaRoutes('/admin', adminPages);

export const code = areaCode(adminPages);

/** The admin area: its frame and its pages. Rendered below the guard only. */
export default function AdminArea(): React.ReactNode {
  return useRoutes([{ Component: Frame, children }]);
}

function Frame(): React.ReactNode {
  return (
    <AdminLayout otherAreas={useOtherAreas('/admin')} account={<AreaAccount />}>
      <AreaOutlet />
    </AdminLayout>
  );
}
