import { usePublicCreators } from '../../features/creators/api/get-public-creators.js';
import { CreditsPage } from '../../features/credits/credits-page.js';
import { Purchases } from '../../features/payments/components/purchases.js';

/** Balance and history, with the names of creators and the purchases. */
export default function Page(): React.ReactNode {
  const { data: creators = [] } = usePublicCreators();
  return <CreditsPage creators={creators} purchases={<Purchases />} />;
}
