import { useId, useRef } from 'react';

interface FileChoiceOptions {
  /** Name of the file for screen readers. */
  readonly label: string;
  /** Extensions and media types, as in HTML. */
  readonly accept: string;
  readonly onChoose: (file: File) => void;
}

/** The hidden field of a file, and a function that shows the dialog of the system. */
interface FileChoice {
  readonly field: React.ReactNode;
  readonly open: () => void;
}

/** The choice of one file with a button of the page's own look. The same file can be chosen again. */
export function useFileChoice({ label, accept, onChoose }: FileChoiceOptions): FileChoice {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const field = (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
    </>
  );
  return { field, open: () => input.current?.click() };
}
