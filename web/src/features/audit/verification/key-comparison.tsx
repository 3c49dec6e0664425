import { Check, TriangleAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { cx } from '../../../lib/cx.js';
import { fingerprintOfPem, keyCopy, rememberKeyCopy } from './key-copy.js';

/**
 * Whether the key of a seal is the auditor's copy of it. The file is read in the browser; its fingerprint is remembered
 * there, so that a key that was replaced is noticed.
 */
export function KeyComparison({ fingerprint }: { readonly fingerprint: string }): React.ReactNode {
  const [copy, setCopy] = useState(keyCopy);
  const [isKey, setIsKey] = useState(true);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const compare = async (file: File): Promise<void> => {
    const found = await fingerprintOfPem(await file.text());
    setIsKey(found !== null);
    if (found === null) return;
    rememberKeyCopy(found);
    setCopy(found);
  };
  const same = copy === fingerprint;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3">
      <input
        ref={input}
        id={id}
        type="file"
        accept=".pem,application/x-pem-file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void compare(file);
        }}
      />
      <label htmlFor={id} className="sr-only">
        Your copy of the key
      </label>
      <span aria-live="polite" className="empty:hidden">
        {copy !== null && (
          <span className={cx('inline-flex items-center gap-1.5', same ? 'text-good' : 'text-bad')}>
            {same ? <Check aria-hidden className="size-4" /> : <TriangleAlert aria-hidden className="size-4" />}
            {same ? 'your copy' : 'not your copy'}
          </span>
        )}
      </span>
      <button type="button" className="link min-h-6" onClick={() => input.current?.click()}>
        {copy === null ? 'Compare with your copy' : 'Compare again'}
      </button>
      {!isKey && (
        <p role="alert" className="w-full text-bad">
          This file is not a public key in PEM.
        </p>
      )}
    </div>
  );
}
