import { liveTimings } from '../../../components/work-area/live.js';
import { PlaceCount } from '../../../components/work-area/place-count.js';
import { WorkLayout, type AreaLayoutProps } from '../../../components/work-area/work-layout.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Find } from './find.js';
import { PLACES } from './places.js';

/** The frame of the admin area: header with area switch, places with live counts, Find and the account. */
export function AdminLayout(props: AreaLayoutProps): React.ReactNode {
  const { data: counts } = useRpc('get_admin_counts', {}, liveTimings);
  return (
    <WorkLayout
      {...props}
      area="Admin"
      places={PLACES}
      mark={({ count }) =>
        count && <PlaceCount count={counts?.[count]} urgent={count === 'reports' && (counts?.urgent ?? 0) > 0} />
      }
      roleRefusal="Admin privileges required"
      find={<Find />}
    />
  );
}
