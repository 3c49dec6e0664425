import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { useDailyGrant } from '../../features/credits/use-daily-grant.js';
import { FinishWatch } from '../../features/generation/components/finish-watch.js';

/** Asks for the daily credits and watches for finished images, on every page of a signed-in person. */
export default function SignedInExtras({ userId }: { readonly userId: string }): React.ReactNode {
  useDailyGrant(userId);
  return <FinishWatch onCreditsChange={refreshCredits} />;
}
