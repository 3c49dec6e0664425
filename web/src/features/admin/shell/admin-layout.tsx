import { liveTimings } from '../../../components/work-area/live.js';
import { PageCount } from '../../../components/work-area/page-count.js';
import { WorkLayout, type AreaLayoutProps } from '../../../components/work-area/work-layout.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Find } from './find.js';
import { ADMIN_PAGES } from './menu.js';

/** The frame of the admin area: header with area switch, pages with live counts, Find and the account. */
export function AdminLayout(props: AreaLayoutProps): React.ReactNode {
  const { data: counts } = useRpc('get_admin_counts', {}, liveTimings);
  return (
    <WorkLayout
      {...props}
      area="Admin"
      pages={ADMIN_PAGES}
      mark={({ count }) =>
        count && <PageCount count={counts?.[count]} urgent={count === 'reports' && (counts?.urgent ?? 0) > 0} />
      }
      roleRefusal="Admin privileges required"
      find={<Find />}
    />
  );
}
