import { CreatorsPage } from '../../features/admin/creators/creators-page.js';
import { refreshCreators } from '../../features/creators/refresh-creators.js';

/** The admins' list of creators. Their acts change the public pages. */
export default function Page(): React.ReactNode {
  return <CreatorsPage onChange={refreshCreators} />;
}
