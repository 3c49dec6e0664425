import { useSignUp, useUser } from '@clerk/react';
import { useEffect } from 'react';
import { reportSignUp, type SignUpFlow } from '../../../lib/sign-up.js';

type SignUp = ReturnType<typeof useSignUp>['signUp'];

/** Offers the SDK's sign-up to pages with a form of their own. They render outside the SDK's provider. */
export function SignUpBridge(): null {
  const { isLoaded } = useUser();
  const signal = useSignUp();
  useEffect(() => {
    if (isLoaded) reportSignUp(flowOf(signal.signUp));
  }, [isLoaded, signal]);
  return null;
}

function flowOf(signUp: SignUp): SignUpFlow {
  const sendCode = async (): Promise<void> => unlessRefused(await signUp.verifications.sendEmailCode());
  return {
    awaiting: awaitingCode(signUp),
    start: async ({ email, password, metadata }) => {
      unlessRefused(await signUp.password({ emailAddress: email, password, unsafeMetadata: metadata }));
      await sendCode();
    },
    sendCode,
    verify: async (code) => {
      unlessRefused(await signUp.verifications.verifyEmailCode({ code }));
      const { status, createdUserId } = signUp;
      if (status !== 'complete' || createdUserId === null) throw new Error(`The sign-up is ${status}.`);
      // Without a function the SDK would navigate by itself.
      unlessRefused(await signUp.finalize({ navigate: () => undefined }));
      return createdUserId;
    },
  };
}

function awaitingCode(signUp: SignUp): SignUpFlow['awaiting'] {
  const { id, status, emailAddress: email, unsafeMetadata: metadata, unverifiedFields, missingFields } = signUp;
  if (id === undefined || status !== 'missing_requirements' || email === null || missingFields.length > 0) return null;
  const sent = signUp.verifications.emailAddress.strategy === 'email_code';
  return sent && unverifiedFields.includes('email_address') ? { email, metadata } : null;
}

/** @throws the SDK's error */
function unlessRefused({ error }: { readonly error: Error | null }): void {
  if (error !== null) throw error;
}
