import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { useViewer } from '../../../lib/auth.js';
import { cx } from '../../../lib/cx.js';
import { useCredits } from '../api/get-user-credit-breakdown.js';
import { retryDailyGrant, useDailyGrantFailed } from '../ask-for-daily-grant.js';

/** Says that today's free credits could not be added, unless they were, and retries. Renders nothing otherwise. */
export function DailyGrantFailure({ className }: { readonly className?: string }): React.ReactNode {
  const userId = useViewer().user?.id ?? '';
  const { data } = useCredits();
  const granted = data?.daily_credits_last_granted === today();
  const failed = useDailyGrantFailed(userId) && !granted;
  const [retrying, setRetrying] = useState(false);

  const retry = async (): Promise<void> => {
    setRetrying(true);
    await retryDailyGrant(userId);
    setRetrying(false);
  };

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

const today = (): string => new Date().toISOString().slice(0, 10);
