import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { CREATOR_NAME_MAX_LENGTH, INSTAGRAM_HANDLE_MAX_LENGTH } from '../../../../../src/contract/creators.js';
import { Button, IconButton } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import type { SignUpFlow } from '../../../lib/sign-up.js';
import { signUpProblem, refusedField, signUpMetadata } from '../application-rules.js';
import { checkedField } from '../checked-field.js';
import { ProblemNote } from './problem-note.js';

export interface SignUpValues {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly instagram: string;
}

interface SignUpFormProps {
  /** Null until the identity SDK has loaded. */
  readonly flow: SignUpFlow | null;
  readonly values: SignUpValues;
  /** The code was sent. */
  readonly onSent: (values: SignUpValues) => void;
}

const STEPS = [
  'Confirm your email with a code',
  'Read and accept the Creator Terms of Use. You must be 18 or older.',
  'We review your application',
  'A representative trains your model with you',
];

/** Account and application in one form. */
export function SignUpForm({ flow, values, onSent }: SignUpFormProps): React.ReactNode {
  const [shown, setShown] = useState(false);
  const form = useForm<SignUpValues>({ defaultValues: values, reValidateMode: 'onSubmit' });
  const { errors, isSubmitting } = form.formState;
  const field = (name: keyof SignUpValues) => checkedField(form, name);

  const submit = form.handleSubmit(async (entered) => {
    if (flow === null) return;
    try {
      await flow.start({
        email: entered.email.trim(),
        password: entered.password,
        metadata: signUpMetadata(entered, { now: new Date(), userAgent: navigator.userAgent }),
      });
    } catch (error) {
      console.warn('The sign-up was refused', error);
      const message = signUpProblem(error, 'An error occurred during sign-up');
      // At its field, in view: on a phone, a note below the button would be off the screen.
      form.setError(refusedField(error) ?? 'root', { message }, { shouldFocus: true });
      return;
    }
    onSent(entered);
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <h2 className="display-sm text-32">Create your account</h2>
      <div className="mt-6 grid gap-4.5">
        <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...field('email')} />
        <TextField
          label="Password"
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          hint="At least 8 characters"
          {...field('password')}
          action={
            <IconButton
              label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff aria-hidden className="size-[18px]" /> : <Eye aria-hidden className="size-[18px]" />}
            </IconButton>
          }
        />
        <TextField
          label="Name"
          autoComplete="name"
          maxLength={CREATOR_NAME_MAX_LENGTH}
          hint="As fans will see it"
          {...field('name')}
        />
        <TextField
          label="Instagram handle"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="@"
          maxLength={INSTAGRAM_HANDLE_MAX_LENGTH + 1}
          {...field('instagram')}
        />
      </div>
      {/* The identity SDK puts its check for bots here when it needs one. */}
      <div id="clerk-captcha" className="mt-6 empty:hidden" />
      <Button
        type="submit"
        kind="seal"
        size={48}
        className="mt-6 w-full"
        busy={isSubmitting || flow === null}
        busyLabel={isSubmitting ? 'Sending the code...' : 'Loading...'}
      >
        Continue
      </Button>
      {errors.root?.message && <ProblemNote title={errors.root.message} />}
      <p className="mt-4 text-14 text-ink-2">
        Already have an account?{' '}
        <Link to="/sign-in?redirect_url=/creator" className="link font-[600]">
          Sign in
        </Link>
      </p>
      <ol className="mt-6 text-14">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-3.5 border-t border-line py-2.75 last:pb-0">
            <span aria-hidden className="w-5 shrink-0 tabular-nums text-ink-2">
              {index + 1}
            </span>
            <span>{step}</span>
          </li>
        ))}
      </ol>
    </form>
  );
}
