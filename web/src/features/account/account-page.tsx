import { CircleAlert } from 'lucide-react';
import { useViewer } from '../../lib/auth.js';
import { useRpc } from '../../lib/use-rpc.js';
import { Avatar } from '../../components/avatar.js';
import { Banner } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Loading } from '../../components/loading.js';
import { Skeleton } from '../../components/skeleton.js';
import { SuspensionNotice } from '../../components/suspension-notice.js';
import { QueryProblem, Problem } from '../../components/states.js';
import type { ClosingReceipt } from '../../../../src/contract/closing.js';
import { ClosingForm } from './components/closing-form.js';
import { DataExport } from './components/data-export.js';
import { ReceiptSteps } from './components/receipt-steps.js';
import { useCloseAccount } from './use-close-account.js';
import { problemOf } from '../../lib/problem-of.js';

/** The signed-in person: who they are, their data, and how to leave. */
export default function AccountPage(): React.ReactNode {
  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>Account · Fanvas</title>
      <h1 className="display text-[3.25rem] sm:text-[4.5rem]">Account</h1>
      <Person />
      <SuspensionNotice className="mt-8 max-w-[68ch]" />
      <Part
        title="Your data"
        intro="Everything that Fanvas keeps about you, as one ZIP file: your images, and your prompts, credits, purchases and reports as JSON."
      >
        <DataExport />
      </Part>
      <Part
        title="Close your account"
        intro="Closing erases your images, prompts and personal data. Download your data first if you want to keep it."
      >
        <Closing />
      </Part>
    </div>
  );
}

function Person(): React.ReactNode {
  const { user } = useViewer();
  const name = user?.fullName ?? null;
  return (
    <div className="mt-7 flex items-center gap-4 sm:mt-10">
      <Avatar name={name ?? user?.email ?? ''} src={user?.imageUrl} size={56} />
      <div className="min-w-0">
        {name !== null && (
          <p translate="no" className="truncate text-18 font-[620]">
            {name}
          </p>
        )}
        <p translate="no" className="truncate text-16 text-ink-2">
          {user?.email}
        </p>
      </div>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly intro: string;
  readonly children: React.ReactNode;
}

function Part({ title, intro, children }: PartProps): React.ReactNode {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section
      aria-labelledby={id}
      className="mt-8 gap-16 border-t border-line pt-8 sm:mt-10 sm:pt-10 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <h2 id={id} className="display-sm scroll-mt-24 text-32 text-balance lg:text-24">
        {title}
      </h2>
      <div className="mt-3 max-w-[68ch] lg:mt-0">
        <p className="text-16 text-ink-2">{intro}</p>
        {children}
      </div>
    </section>
  );
}

function Closing(): React.ReactNode {
  const query = useRpc('get_account_closing', {});
  const { data, error, isError } = query;
  if (data) return data.closure ? <RunningClosure receipt={data.closure} /> : <ClosingForm closing={data} />;
  if (isError) {
    return (
      <QueryProblem className="mt-6" title="Error loading your account" query={query}>
        {problemOf(error)} Nothing was changed.
      </QueryProblem>
    );
  }
  return (
    <Loading text="Loading your account" className="mt-6">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="mt-3 h-24 w-full" />
      <Skeleton className="mt-3 h-12 w-44" />
    </Loading>
  );
}

/** The account is being closed, for example from another tab. A repeated call shows the receipt again. */
function RunningClosure({ receipt }: { readonly receipt: ClosingReceipt }): React.ReactNode {
  const { busy, problem, close } = useCloseAccount();
  return (
    <>
      <Banner tone="warn" icon={<CircleAlert aria-hidden />} className="mt-6">
        Your account is being closed. You will be signed out.
      </Banner>
      <div className="mt-6">
        <ReceiptSteps receipt={receipt} />
      </div>
      <Button size={48} className="mt-6" busy={busy} busyLabel="Opening..." onClick={() => close(receipt.choice)}>
        Show my receipt
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
