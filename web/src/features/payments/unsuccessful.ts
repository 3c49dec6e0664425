/** Reasons for /payment-canceled. Any other value means a cancelled payment. */
export type UnsuccessfulReason =
  | 'verification_failed'
  | 'missing_session'
  | 'not_authenticated'
  | 'payment_failed'
  | 'invalid_session_data'
  | 'verification_error';

const CANCELED = 'Your payment was canceled and you have not been charged.';

/** The text for a reason (fan spec, section 2, "Payment unsuccessful"). */
export function unsuccessfulMessage(reason: string | null, status: string | null): string {
  switch (reason) {
    case 'verification_failed':
      return 'Your payment status could not be verified after several attempts.';
    case 'missing_session':
      return 'Payment session information not found.';
    case 'not_authenticated':
      return 'You must be signed in to complete the payment.';
    case 'payment_failed':
      return `Your payment was not successful (Status: ${plainStatus(status)}).`;
    case 'invalid_session_data':
      return 'There was an invalid response from the payment processor.';
    case 'verification_error':
      return 'There was an error while verifying payment.';
    default:
      return CANCELED;
  }
}

/** Whether the payment may have succeeded although this browser could not verify it. */
export function mayHavePaid(reason: string | null): boolean {
  return (
    reason === 'verification_failed' ||
    reason === 'missing_session' ||
    reason === 'not_authenticated' ||
    reason === 'invalid_session_data' ||
    reason === 'verification_error'
  );
}

/**
 * A status of the processor (`unpaid`, `requires_action`). Any visitor can craft an address, so a value that could be
 * read as a message is replaced by `failed`.
 */
function plainStatus(status: string | null): string {
  return status !== null && /^[A-Za-z][A-Za-z_-]{0,39}$/.test(status) ? status : 'failed';
}
