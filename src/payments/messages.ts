/** Texts of the fan spec, section 8, and a few more. The SPA shows most of them unchanged. */
export const MESSAGES = {
  signInToPurchase: 'You must be signed in to purchase credits',
  authenticationRequired: 'Authentication required for payment operations',
  bundleIncomplete: 'Bundle, credits and price are required',
  unknownBundle: 'This bundle is not for sale. Please reload the page.',
  bundleChanged: 'The price of this bundle has changed. Please reload the page.',
  foreignReturn: 'The payment must return to this site.',
  createFailed: 'Failed to create checkout session',
  sessionIdRequired: 'Session ID is required',
  fetchFailed: 'Failed to fetch checkout session',
  purchaseNotFound: 'There is no such purchase.',
  nothingToRefund: 'Nothing of this purchase is left to refund.',
  refundTooLarge: (left: number) => `Only ${left} credits of this purchase are unspent.`,
  spentMeanwhile: 'Some of these credits were spent meanwhile. Nothing was refunded.',
  reasonRequired: 'Say why, without naming a person.',
  refundUnderWay: 'A refund of this purchase is under way.',
  refundRefused: 'The payment processor refused the refund. The credits are back with the user.',
} as const;
