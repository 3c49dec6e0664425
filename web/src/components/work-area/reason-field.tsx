import { useId } from 'react';
import { REASON_MAX_LENGTH } from '../../../../src/contract/limits.js';

interface ReasonFieldProps {
  readonly label: string;
  /** Says who reads it and how long it is kept. */
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The most characters. */
  readonly max?: number;
  readonly required?: boolean;
  readonly className?: string;
}

/** A reason or a question in words, with a count of its letters. */
export function ReasonField(props: ReasonFieldProps): React.ReactNode {
  const { label, hint, value, onChange, max = REASON_MAX_LENGTH, required = true, className } = props;
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-14 font-[600]">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        required={required}
        maxLength={max}
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="mt-1.5 block w-full resize-y rounded-ctl border border-line-strong bg-bg px-3.5 py-2.5 text-16"
      />
      <p id={`${id}-hint`} className="mt-1.5 text-13 text-ink-2">
        <span>{hint}</span>{' '}
        <span className="tabular-nums">
          {value.length} / {max}
        </span>
      </p>
    </div>
  );
}
