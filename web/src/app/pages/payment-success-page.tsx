import { useCallback, useState } from 'react';
import { useCredits } from '../../features/credits/api/get-user-credit-breakdown.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { PaymentSuccessPage } from '../../features/payments/payment-success-page.js';
import { useWorks } from './use-works.js';

/** The result of a payment; the balance is fetched again once it is complete. */
export default function Page(): React.ReactNode {
  const { data, dataUpdatedAt } = useCredits();
  const [paidAt, setPaidAt] = useState(Infinity);
  const onPaid = useCallback(() => {
    setPaidAt(Date.now());
    refreshCredits();
  }, []);
  return (
    <PaymentSuccessPage
      works={useWorks()}
      balance={dataUpdatedAt >= paidAt ? data?.total_balance : undefined}
      onPaid={onPaid}
    />
  );
}
