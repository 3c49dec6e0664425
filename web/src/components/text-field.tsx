import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { cx } from '../lib/cx.js';
import { Named } from './name.js';

interface TextFieldProps extends Omit<React.ComponentProps<'input'>, 'id'> {
  readonly label: string;
  /** The name that the label contains. */
  readonly labelled?: string;
  readonly hint?: React.ReactNode;
  readonly error?: string | undefined;
  /** At the right end of the field. */
  readonly action?: React.ReactNode;
  readonly inputClassName?: string;
}

/** A field with its label above, and its hint or error below. */
export function TextField({
  label,
  labelled,
  hint,
  error,
  action,
  className,
  inputClassName,
  ...input
}: TextFieldProps): React.ReactNode {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-14 font-[600]">
        <Named text={label} name={labelled} />
      </label>
      <div className="relative mt-1.5">
        <input
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={error !== undefined || hint !== undefined ? `${id}-note` : undefined}
          className={cx(
            // In view below the header when a refusal moves the focus to it.
            'block w-full scroll-my-28 rounded-ctl border bg-bg',
            inputClassName ?? 'h-12 px-3.5 text-16',
            error === undefined ? 'border-line-strong' : 'border-bad',
            action !== undefined && 'pr-14',
          )}
        />
        {action !== undefined && <div className="absolute inset-y-0 right-1 flex items-center">{action}</div>}
      </div>
      {error !== undefined ? (
        <p id={`${id}-note`} role="alert" className="mt-1.5 flex items-center gap-1.5 text-14 text-bad">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          <span>{error}</span>
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-note`} className="mt-1.5 text-14 text-ink-2">
            {hint}
          </p>
        )
      )}
    </div>
  );
}
