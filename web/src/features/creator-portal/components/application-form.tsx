import { UserRound } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { CREATOR_NAME_MAX_LENGTH, INSTAGRAM_HANDLE_MAX_LENGTH } from '../../../../../src/contract/creators.js';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import { ApiError, rpc } from '../../../lib/api.js';
import type { ViewerUser } from '../../../lib/auth.js';
import { afterApplication, type ApplicationFields } from '../arrival.js';
import { checkedField } from '../checked-field.js';
import { mayReapply } from '../portal-case.js';
import { KNOWN_APPLICATION, useKnownApplication } from '../use-known-application.js';
import { ProblemNote } from './problem-note.js';

const SIGNED_OUT = 'Authentication required. Please refresh the page.';

interface ApplicationFormProps {
  readonly user: ViewerUser;
  readonly values: ApplicationFields;
}

/** The application of a signed-in person. The terms come next; the application is sent with their acceptance. */
export function ApplicationForm({ user, values }: ApplicationFormProps): React.ReactNode {
  const navigate = useNavigate();
  const openKnown = useKnownApplication();
  const form = useForm<ApplicationFields>({ defaultValues: values, reValidateMode: 'onSubmit' });
  const { errors, isSubmitting } = form.formState;
  const field = (name: keyof ApplicationFields) => checkedField(form, name);

  const submit = form.handleSubmit(async ({ name, instagram }) => {
    const { id: clerkId, email } = user;
    if (email === null) {
      form.setError('root', { message: SIGNED_OUT });
      return;
    }
    try {
      if (await hasApplication()) {
        form.setError('root', { message: KNOWN_APPLICATION });
        openKnown();
        return;
      }
    } catch (error) {
      console.warn('The application could not be checked', error);
      form.setError('root', { message: problemOf(error) });
      return;
    }
    const formData = { name: name.trim(), instagram: instagram.trim() };
    void navigate('/creator/terms-acceptance', { state: afterApplication(formData, { clerkId, email }) });
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <h2 className="display-sm text-32">Your application</h2>
      <p className="mt-3 flex items-center gap-2 text-14 text-ink-2">
        <UserRound aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 break-words">
          Signed in as{' '}
          <strong translate="no" className="font-[600] text-ink">
            {user.email}
          </strong>
        </span>
      </p>
      <div className="mt-6 grid gap-4.5">
        <TextField label="Creator name" autoComplete="name" maxLength={CREATOR_NAME_MAX_LENGTH} {...field('name')} />
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
      <Button type="submit" kind="seal" size={48} className="mt-6 w-full" busy={isSubmitting} busyLabel="Checking...">
        Apply
      </Button>
      <p className="mt-3 text-14 text-ink-2">Your credits and pictures stay as they are. Applying costs nothing.</p>
      {errors.root?.message && <ProblemNote title={errors.root.message} />}
    </form>
  );
}

/** True when the person has an application already, for example from another tab. */
async function hasApplication(): Promise<boolean> {
  const [creator] = await rpc('get_creator_by_jwt');
  return creator !== undefined && !mayReapply(creator, Date.now());
}

function problemOf(error: unknown): string {
  const { status, message } = error instanceof ApiError ? error : { status: 0, message: '' };
  if (status === 429) return 'Too many applications. Please try again in a few minutes.';
  if (status === 401 || status === 403) return SIGNED_OUT;
  return message || 'Connection error. Please wait or try again later.';
}
