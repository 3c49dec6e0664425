import { RouterProvider } from 'react-router-dom';
import { createPageRouter } from './page-router.js';
import { routes } from './routes.js';

const router = createPageRouter(routes);

/** Renders the page of the current address. */
export function Router(): React.ReactNode {
  return <RouterProvider router={router} />;
}
