import { MyCreationsPage } from '../../features/generation/my-creations-page.js';

const loadGenerationPage = () => import('./generation-page.js');

/** The fan's generations; each leads to the page that composes one with its gallery. */
export default function Page(): React.ReactNode {
  return <MyCreationsPage loadGenerationPage={loadGenerationPage} />;
}
