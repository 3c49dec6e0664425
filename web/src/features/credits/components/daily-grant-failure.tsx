import { Button } from '../../../components/button.js';
import { useViewer } from '../../../lib/auth.js';
import { cx } from '../../../lib/cx.js';
import { useDailyGrantFailure } from '../use-daily-grant.js';

/** Says that today's free credits could not be added, unless they were, and retries. Renders nothing otherwise. */
export function DailyGrantFailure({ className }: { readonly className?: string }): React.ReactNode {
  const { failed, retrying, retry } = useDailyGrantFailure(useViewer().user?.id ?? '');
  return (
    <div role="status">
      {failed && (
        <p className={cx('flex flex-wrap items-center gap-x-3 gap-y-2 text-14 text-ink-2', className)}>
          Today&apos;s free credits could not be added.
          <Button size={32} onClick={() => void retry()} busy={retrying} busyLabel="Trying...">
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}
