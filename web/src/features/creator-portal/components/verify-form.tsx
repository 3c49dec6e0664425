import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import { fanvasConfig } from '../../../lib/config.js';
import type { SignUpFlow } from '../../../lib/sign-up.js';
import { signUpProblem } from '../application-rules.js';

const CODE_LENGTH = 6;
/** Seconds before the code can be sent again. */
const RESEND_AFTER_S = 60;

interface VerifyFormProps {
  readonly flow: SignUpFlow;
  readonly email: string;
  readonly onBack: () => void;
  /** The account exists and the person is signed in. */
  readonly onComplete: (userId: string) => void;
}

/** Asks for the code that was sent by e-mail. */
export function VerifyForm({ flow, email, onBack, onComplete }: VerifyFormProps): React.ReactNode {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { demo } = fanvasConfig();
  useEffect(() => field.current?.focus(), []);
  const complete = code.length === CODE_LENGTH;

  const verify = async (): Promise<void> => {
    if (!complete || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      onComplete(await flow.verify(code));
    } catch (error) {
      console.warn('The code was refused', error);
      setProblem(signUpProblem(error, 'Invalid verification code'));
      setBusy(false);
      // Typing replaces the refused code.
      field.current?.focus();
      field.current?.select();
    }
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void verify();
      }}
    >
      <Button kind="quiet" size={32} className="-ml-3" onClick={onBack}>
        <ArrowLeft aria-hidden className="size-4" />
        Back to the form
      </Button>
      <h2 className="display-sm mt-3 text-32">Verify Your Email</h2>
      <p className="mt-3 text-16 text-ink-2">
        We sent a 6-digit code to{' '}
        <strong translate="no" className="font-[600] break-words text-ink">
          {email}
        </strong>
        .
      </p>
      <TextField
        label="Code"
        ref={field}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        hint="Type or paste it. Letters and spaces are ignored."
        error={problem ?? undefined}
        className="mt-6"
        inputClassName="h-[72px] px-5 text-[2rem] font-[560] tracking-[.28em] tabular-nums sm:text-[2.5rem]"
        onChange={(event) => {
          setCode(event.target.value.replace(/\D/g, '').slice(0, CODE_LENGTH));
          setProblem(null);
        }}
      />
      {problem !== null && (
        <p className="mt-1.5 text-14 text-ink-2">Your form is kept. Try the code of the newest email.</p>
      )}
      {demo && <p className="mt-3 text-14 text-warn">Sandbox: no e-mail is sent. The code is {demo.emailCode}.</p>}
      <Button
        type="submit"
        kind="seal"
        size={48}
        className="mt-6 w-full"
        aria-disabled={!complete}
        busy={busy}
        busyLabel="Verifying..."
      >
        Verify
      </Button>
      <Resend flow={flow} onProblem={setProblem} />
    </form>
  );
}

interface ResendProps {
  readonly flow: SignUpFlow;
  readonly onProblem: (message: string | null) => void;
}

function Resend({ flow, onProblem }: ResendProps): React.ReactNode {
  const [waitS, setWaitS] = useState(RESEND_AFTER_S);
  useEffect(() => {
    if (waitS === 0) return undefined;
    const timer = setTimeout(() => setWaitS(waitS - 1), 1_000);
    return () => clearTimeout(timer);
  }, [waitS]);

  const send = async (): Promise<void> => {
    setWaitS(RESEND_AFTER_S);
    onProblem(null);
    try {
      await flow.sendCode();
    } catch (error) {
      console.warn('The code could not be sent again', error);
      onProblem(signUpProblem(error, 'An error occurred during sign-up'));
    }
  };

  return (
    <p className="mt-4 text-14 text-ink-2">
      Nothing there? Look in spam, or{' '}
      {waitS > 0 ? (
        <span>
          send a new code in{' '}
          <span className="tabular-nums">{`${Math.floor(waitS / 60)}:${String(waitS % 60).padStart(2, '0')}`}</span>.
        </span>
      ) : (
        <button type="button" className="link tap font-[600]" onClick={() => void send()}>
          send a new code
        </button>
      )}
    </p>
  );
}
