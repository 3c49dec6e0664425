import { useCredits } from '../../features/credits/api/get-user-credit-breakdown.js';
import { OwedCredits } from '../../features/credits/components/owed-credits.js';
import { PurchasePage } from '../../features/payments/purchase-page.js';
import { useWorks } from './use-works.js';

/** The bundles, with a notice about owed credits. */
export default function Page(): React.ReactNode {
  const { data: credits } = useCredits();
  const works = useWorks();
  return (
    <PurchasePage notice={<OwedCredits debt={credits?.debt ?? 0} className="mt-5 max-w-[640px]" />} works={works} />
  );
}
