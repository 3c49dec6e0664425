import { refreshCreators } from '../../features/creators/refresh-creators.js';
import { MyCreationsPage } from '../../features/generation/my-creations-page.js';

const loadGenerationPage = () => import('./generation-page.js');

/** The fan's generations. Each links to its page with the gallery. */
export default function Page(): React.ReactNode {
  return <MyCreationsPage loadGenerationPage={loadGenerationPage} onListsChange={refreshCreators} />;
}
