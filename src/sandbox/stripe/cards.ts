/** The effect of a card at checkout. */
export type CardOutcome =
  | { readonly kind: 'pays'; readonly later?: 'disputed' | 'refund-fails' | 'refund-pending' }
  | { readonly kind: 'declines'; readonly code: string; readonly declineCode?: string; readonly message: string }
  | { readonly kind: 'settles-later' | 'fails-later' };

export interface TestCard {
  readonly number: string;
  readonly brand: 'visa' | 'mastercard';
  /** Shown on the checkout page. */
  readonly label: string;
  readonly outcome: CardOutcome;
}

const visa = (number: string, label: string, outcome: CardOutcome): TestCard => ({
  number,
  brand: 'visa',
  label,
  outcome,
});

const DECLINED = 'Your card was declined.';

/**
 * The cards that the sandbox accepts: Stripe's test numbers. `4000 0000 0000 0077` and `…0341` represent payment
 * methods that settle or fail days later. Stripe has such methods, but not as cards.
 */
export const TEST_CARDS = {
  pays: visa('4242424242424242', 'Pays at once', { kind: 'pays' }),
  declines: visa('4000000000000002', 'Is declined', {
    kind: 'declines',
    code: 'card_declined',
    declineCode: 'generic_decline',
    message: DECLINED,
  }),
  settlesLater: visa('4000000000000077', 'Pays later', { kind: 'settles-later' }),
  failsLater: visa('4000000000000341', 'Fails later', { kind: 'fails-later' }),
  disputed: visa('4000000000000259', 'Pays, then the buyer disputes it', { kind: 'pays', later: 'disputed' }),
  noFunds: visa('4000000000009995', 'Is declined: not enough money', {
    kind: 'declines',
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  }),
  expired: visa('4000000000000069', 'Is declined: expired', {
    kind: 'declines',
    code: 'expired_card',
    message: 'Your card has expired.',
  }),
  refundPending: visa('4000000000007726', 'Pays; a refund takes a while', { kind: 'pays', later: 'refund-pending' }),
  refundFails: visa('4000000000005126', 'Pays; a refund fails later', { kind: 'pays', later: 'refund-fails' }),
  mastercard: {
    number: '5555555555554444',
    brand: 'mastercard',
    label: 'Pays at once (Mastercard)',
    outcome: { kind: 'pays' },
  },
} as const satisfies Record<string, TestCard>;

/** Name of a card that the substitute for Stripe knows, each with its own outcome. */
export type TestCardName = keyof typeof TEST_CARDS;

/** Finds a test card by its name in `TEST_CARDS`, or by its number with or without spaces. */
export function findCard(nameOrNumber: string): TestCard | null {
  const digits = nameOrNumber.replace(/[\s-]/g, '');
  const cards: [string, TestCard][] = Object.entries(TEST_CARDS);
  return cards.find(([name, { number }]) => name === nameOrNumber || number === digits)?.[1] ?? null;
}

/** `4242 4242 4242 4242` */
export function groupDigits(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}
