import { CircleAlert } from 'lucide-react';

interface ProblemNoteProps {
  readonly title: string;
  readonly children?: React.ReactNode;
}

/** A refusal below a form. Announced when it appears. */
export function ProblemNote({ title, children }: ProblemNoteProps): React.ReactNode {
  return (
    <div role="alert" className="mt-6 flex gap-3 rounded-ctl bg-bad-wash px-4 py-3.5 text-14 text-bad">
      <CircleAlert aria-hidden className="mt-px size-[18px] shrink-0" />
      <div>
        <p className="font-[600]">{title}</p>
        {children}
      </div>
    </div>
  );
}
