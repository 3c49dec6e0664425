import { CreatorDashboard } from '../../features/creator-dashboard/creator-dashboard.js';
import { CreatorView } from '../../features/admin/revenue/creator-view.js';

/** A creator's own dashboard inside the frame of the admin area. */
export default function Page(): React.ReactNode {
  return <CreatorView dashboard={(creator) => <CreatorDashboard creator={creator} embedded />} />;
}
