import { useState } from 'react';
import { useSignUpFlow } from '../../../lib/sign-up.js';
import { givenAtSignUp, isCreatorSignUp } from '../application-rules.js';
import { SignUpForm, type SignUpValues } from './sign-up-form.js';
import { VerifyForm } from './verify-form.js';

interface SignUpProps {
  readonly onComplete: (userId: string) => void;
}

const EMPTY: SignUpValues = { email: '', password: '', name: '', instagram: '' };

/** The sign-up as a creator: the form, then the code. A reload returns to the code when one was sent. */
export function SignUp({ onComplete }: SignUpProps): React.ReactNode {
  const flow = useSignUpFlow();
  const [editing, setEditing] = useState<boolean | null>(null);
  const [values, setValues] = useState<SignUpValues | null>(null);

  const awaiting = flow?.awaiting ?? null;
  const pending = awaiting && isCreatorSignUp(awaiting.metadata) ? awaiting : null;
  if (flow && pending && editing !== true) {
    return <VerifyForm flow={flow} email={pending.email} onBack={() => setEditing(true)} onComplete={onComplete} />;
  }
  const kept = pending ? { ...EMPTY, email: pending.email, ...givenAtSignUp(pending.metadata) } : EMPTY;
  return (
    <SignUpForm
      flow={flow}
      values={values ?? kept}
      onSent={(sent) => {
        setValues(sent);
        setEditing(false);
      }}
    />
  );
}
