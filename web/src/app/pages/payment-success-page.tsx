import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { PaymentSuccessPage } from '../../features/payments/payment-success-page.js';
import { useWorks } from './use-works.js';

/** The result of a payment; the balance is fetched again once it is complete. */
export default function Page(): React.ReactNode {
  return <PaymentSuccessPage works={useWorks()} onPaid={refreshCredits} />;
}
