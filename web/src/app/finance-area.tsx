import { useRoutes } from 'react-router-dom';
import { eventPath } from '../features/audit/audit-paths.js';
import { FinanceLayout } from '../features/finance/shell/finance-layout.js';
import { AreaAccount } from './area-account.js';
import { areaCode, AreaOutlet, areaRoutes } from './area-routes.js';
import { financePages } from './finance-pages.js';
import { useOtherAreas } from './shell/use-other-areas.js';

const children = areaRoutes('/finance', financePages);

export const code = areaCode(financePages);

/** The finance area: its frame and its pages. Rendered below the guard only. */
export default function FinanceArea(): React.ReactNode {
  return useRoutes([{ Component: Frame, children }]);
}

function Frame(): React.ReactNode {
  const otherAreas = useOtherAreas('/finance');
  const has = (area: string): boolean => otherAreas.some(({ to }) => to === area);
  return (
    <FinanceLayout
      otherAreas={otherAreas}
      auditPath={has('/audit') ? eventPath : null}
      isAdmin={has('/admin')}
      account={<AreaAccount />}
    >
      <AreaOutlet />
    </FinanceLayout>
  );
}
