import { CREATOR_TERMS_VERSION } from '../../../../../src/contract/creator-terms.js';

interface RecordPanelProps {
  readonly name: string;
  readonly email: string;
}

/** The record that an acceptance makes, shown before. */
export function RecordPanel({ name, email }: RecordPanelProps): React.ReactNode {
  const rows = [
    ['Who', name === '' ? email : `${name}, ${email}`],
    ['When', 'The moment you press the button, in UTC'],
    ['What', `Version ${CREATOR_TERMS_VERSION} and the text as shown here`],
    ['How', 'Creator application form'],
    ['With', 'Your browser’s name'],
  ] as const;
  return (
    <aside aria-labelledby="record-title" className="border-line text-14 xl:sticky xl:top-24 xl:border-l xl:pl-7">
      <h2 id="record-title" className="font-[600]">
        What we record when you accept
      </h2>
      <dl className="mt-2">
        {rows.map(([term, text]) => (
          <div key={term} className="flex gap-4 border-b border-line py-2.5 last:border-b-0">
            <dt className="w-13 shrink-0 text-ink-2">{term}</dt>
            <dd translate={term === 'Who' ? 'no' : undefined} className="min-w-0 break-words">
              {text}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-13 text-ink-2">You can read this record in your dashboard, and withdraw there.</p>
    </aside>
  );
}
