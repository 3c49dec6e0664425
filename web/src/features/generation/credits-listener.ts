/** Called when a generation has changed the fan's balance: its credits were deducted or refunded. */
export type CreditsListener = (change: 'deduction' | 'refund') => void;
