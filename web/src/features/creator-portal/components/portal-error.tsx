import { Button } from '../../../components/button.js';

/** The state could not be loaded. The page shows below it what works without. */
export function PortalError(): React.ReactNode {
  return (
    <div className="wrap pb-8">
      <div role="alert" className="rounded-panel border border-line p-6">
        <p className="display-sm text-24">Error Loading Portal</p>
        <p className="mt-2 text-14 text-ink-2">Failed to load creator status. Please refresh the page.</p>
        <Button className="mt-4" onClick={() => window.location.reload()}>
          Refresh Page
        </Button>
      </div>
    </div>
  );
}
