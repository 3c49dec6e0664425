import { Gift } from 'lucide-react';
import type { SignUpBonusState } from '../../../../../src/contract/credits.js';
import { SIGN_UP_BONUS_CREDITS } from '../../../../../src/contract/prices.js';
import { Banner } from '../../../components/badge.js';

const CREDITS = `${SIGN_UP_BONUS_CREDITS} free credits`;

/** Why the account does not have the sign-up bonus. */
const TEXTS: Readonly<Record<Exclude<SignUpBonusState, 'granted'>, string>> = {
  waiting: `Your ${CREDITS} for signing up arrive as soon as your e-mail address is verified.`,
  taken: `Each person gets the ${CREDITS} for signing up once, and your e-mail address has had them before.`,
  refused: `The ${CREDITS} for signing up cannot be given for your e-mail address, because letters in it look like others. Verify another address to get them.`,
};

interface SignUpBonusProps {
  readonly state: SignUpBonusState | undefined;
  readonly className?: string;
}

/** Explains a sign-up bonus that is missing. Renders nothing for an account that has it. */
export function SignUpBonus({ state = 'granted', className }: SignUpBonusProps): React.ReactNode {
  if (state === 'granted') return null;
  return (
    <Banner icon={<Gift aria-hidden />} className={className}>
      {TEXTS[state]}
    </Banner>
  );
}
