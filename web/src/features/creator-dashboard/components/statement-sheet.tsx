import { ArrowLeft, Printer } from 'lucide-react';
import { Button, ButtonLink } from '../../../components/button.js';
import { Loading } from '../../../components/loading.js';
import { Skeleton } from '../../../components/skeleton.js';
import { QueryProblem } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';

interface HeadProps {
  /** The kind of the page in a few words. */
  readonly kind: string;
  readonly title: string;
  /** The caller is the creator: a link leads to the dashboard. */
  readonly own: boolean;
  /** Further buttons. */
  readonly children?: React.ReactNode;
}

/** The heading of a statement, with its buttons. They are not printed. */
export function StatementHead({ kind, title, own, children }: HeadProps): React.ReactNode {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div>
        <p className="text-14 text-ink-2">Fanvas · {kind}</p>
        <h1 className="display mt-2 text-44 sm:text-64">{title}</h1>
      </div>
      <div className="flex flex-wrap gap-2 print:hidden">
        {own && (
          <ButtonLink kind="quiet" to="/creator">
            <ArrowLeft aria-hidden className="size-[18px]" />
            Dashboard
          </ButtonLink>
        )}
        {children}
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-[18px]" />
          Print
        </Button>
      </div>
    </div>
  );
}

/** A labelled text of a statement. */
export function Fact({ label, children }: { label: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  );
}

/** A row of a sum. @param props.sum the result of the rows above */
export function Line({ label, sum, children }: { label: string; sum?: boolean; children: string }): React.ReactNode {
  return (
    <div
      className={cx(
        'flex justify-between gap-6 py-2.5',
        sum ? 'border-t border-line-strong font-[600]' : 'border-t border-line first:border-0',
      )}
    >
      <dt className={cx(!sum && 'text-ink-2')}>{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** The notes below the figures. */
export function StatementNotes({
  title,
  children,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
}): React.ReactNode {
  return (
    <section aria-labelledby="statement-notes" className="mt-12 max-w-[66ch] break-inside-avoid text-14 text-ink-2">
      <h2 id="statement-notes" className="display-sm text-24 text-ink">
        {title}
      </h2>
      <ul className="mt-3 list-disc space-y-1.5 pl-5">{children}</ul>
    </section>
  );
}

/** The statement could not be loaded. */
export function StatementFailure(props: Pick<React.ComponentProps<typeof QueryProblem>, 'query'>): React.ReactNode {
  return <QueryProblem className="mt-8" title="Error loading the statement" retryLabel="Try Again" {...props} />;
}

/** The place of a statement while it loads. */
export function StatementLoading(): React.ReactNode {
  return (
    <Loading text="Loading statement...">
      <Skeleton className="mt-2 h-16 w-96 max-w-full" />
      <Skeleton className="mt-8 h-96" />
    </Loading>
  );
}
