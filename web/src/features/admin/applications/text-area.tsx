import { useId } from 'react';
import { APPLICATION_TEXT_MAX_LENGTH } from '../../../../../src/contract/applications.js';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly max?: number;
}

/** A text of several lines with the number of its characters. */
export function TextArea({
  label,
  value,
  onChange,
  hint = '',
  max = APPLICATION_TEXT_MAX_LENGTH,
}: TextAreaProps): React.ReactNode {
  const id = useId();
  return (
    <div className="mt-3">
      <label htmlFor={id} className="block text-14 font-[600]">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={max}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className="mt-1.5 block w-full resize-y rounded-ctl border border-line-strong bg-bg px-3.5 py-2.5 text-16"
      />
      <p id={`${id}-hint`} className="mt-1 flex justify-between gap-4 text-13 text-ink-2">
        <span>{hint}</span>
        <span className="tabular-nums">
          {value.length} / {max}
        </span>
      </p>
    </div>
  );
}
