import { Scale } from 'lucide-react';
import { Banner } from '../../../components/badge.js';

interface OwedCreditsProps {
  /** Credits. */
  readonly debt: number;
  readonly className?: string;
}

/** Explains owed credits and how they are paid back. Renders nothing when none are owed. */
export function OwedCredits({ debt, className }: OwedCreditsProps): React.ReactNode {
  if (!(debt > 0)) return null;
  return (
    <Banner tone="warn" icon={<Scale aria-hidden />} className={className}>
      You owe {debt.toLocaleString('en')} {debt === 1 ? 'credit' : 'credits'}: the money of a purchase was returned
      after its credits were spent. Your next purchase pays {debt === 1 ? 'it' : 'them'} first.
    </Banner>
  );
}
