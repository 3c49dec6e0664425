import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useFileChoice } from '../../../components/use-file-choice.js';
import { cx } from '../../../lib/cx.js';
import { fingerprintOfPem, keyCopy, rememberKeyCopy } from './key-copy.js';

/**
 * Whether the key of a seal is the auditor's copy of it. The file is read in the browser; its fingerprint is remembered
 * there, so that a key that was replaced is noticed.
 */
export function KeyComparison({ fingerprint }: { readonly fingerprint: string }): React.ReactNode {
  const [copy, setCopy] = useState(keyCopy);
  const [isKey, setIsKey] = useState(true);
  const compare = async (file: File): Promise<void> => {
    const found = await fingerprintOfPem(await file.text());
    setIsKey(found !== null);
    if (found === null) return;
    rememberKeyCopy(found);
    setCopy(found);
  };
  const choice = useFileChoice({
    label: 'Your copy of the key',
    accept: '.pem,application/x-pem-file',
    onChoose: (file) => void compare(file),
  });
  const same = copy === fingerprint;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3">
      <span aria-live="polite" className="empty:hidden">
        {copy !== null && (
          <span className={cx('inline-flex items-center gap-1.5', same ? 'text-good' : 'text-bad')}>
            {same ? <Check aria-hidden className="size-4" /> : <TriangleAlert aria-hidden className="size-4" />}
            <span>{same ? 'your copy' : 'not your copy'}</span>
          </span>
        )}
      </span>
      {choice.field}
      <button type="button" className="link min-h-6" onClick={choice.open}>
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
