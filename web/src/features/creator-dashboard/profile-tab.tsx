import { CircleCheck } from 'lucide-react';
import type { OwnCreator } from '../../../../src/contract/creators.js';

/** The creator's record, read only. */
export function ProfileTab({ creator }: { creator: OwnCreator }): React.ReactNode {
  const { name, instagram, email } = creator;
  return (
    <section aria-label="Profile">
      <dl className="max-w-3xl text-16">
        <Field label="Creator Name">{name}</Field>
        <Field label="Instagram Handle">{instagram}</Field>
        <Field label="Email">{email}</Field>
        <Field label="Creator Status">
          <span className="inline-flex items-center gap-1.5 text-good">
            <CircleCheck aria-hidden className="size-4" />
            Active
          </span>
        </Field>
      </dl>
    </section>
  );
}

function Field({ label, children }: { label: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="border-b border-line py-3.5 last:border-0 sm:flex sm:gap-6">
      <dt className="shrink-0 text-ink-2 sm:w-48">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
