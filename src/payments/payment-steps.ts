/** The steps of a payment at which tests simulate a crash, in their order. */
const STEPS = [
  'record-checkout',
  'create-session',
  'store-session',
  'store-event',
  'claim-event',
  'credit',
  'store-credited',
  'reverse',
  'reinstate',
  'store-reversal',
  'store-handled',
  'record-refund',
  'reserve',
  'store-reserved',
  'create-refund',
  'store-refunded',
  'release',
  'store-released',
] as const;

export type PaymentStep = (typeof STEPS)[number];

export type PaymentFaultPoint = `payments.${PaymentStep}.${'before' | 'after'}`;

/** Every fault point of this context. */
export const PAYMENT_FAULT_POINTS: readonly PaymentFaultPoint[] = STEPS.flatMap((step): PaymentFaultPoint[] => [
  `payments.${step}.before`,
  `payments.${step}.after`,
]);
