import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Check, Eye, Lock } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { type AdminCreator } from '../../../../../src/contract/creators.js';
import { Badge } from '../../../components/badge.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { ErrorState } from '../../../components/states.js';
import { callRpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { modelOf } from './model-id.js';
import { viewProblem } from './view-problem.js';
import { Name, Named } from '../../../components/name.js';

const LIST = '/admin/revenue-management';

interface CreatorViewProps {
  /** The creator's own dashboard without its welcome. */
  readonly dashboard: (creator: AdminCreator) => React.ReactNode;
}

/** An active creator's dashboard as an admin sees it: read only. Opening it is an act of the log. */
export function CreatorView({ dashboard }: CreatorViewProps): React.ReactNode {
  const { creatorId = '' } = useParams();
  const { user } = useViewer();
  // Every answer is an entry of the log, so nothing but a new visit asks again.
  const view = useQuery({
    queryKey: ['view_creator_admin', user?.id, creatorId],
    queryFn: ({ signal }) => callRpc('view_creator_admin', { p_creator_id: creatorId }, { signal }),
    enabled: user !== null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
  const creator = view.data;
  const problem = view.isError ? viewProblem(view.error) : '';
  const navigate = useNavigate();
  useKeys([{ keys: ['B'], label: 'Back to list', run: () => void navigate(LIST) }]);
  return (
    <WorkPage
      title={creator?.name ?? 'Creator dashboard'}
      name={creator?.name}
      heading={false}
      footer={
        creator && (
          <span>
            Admin view of <Name>{`@${creator.username}`}</Name>
          </span>
        )
      }
    >
      <nav aria-label="Breadcrumb">
        <ol className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14 text-ink-2">
          <Crumb to="/admin">Admin</Crumb>
          <Crumb to={LIST}>Revenue Management</Crumb>
          <li translate="no" aria-current="page" className="font-[560] text-ink">
            {creator?.name ?? '...'}
          </li>
        </ol>
      </nav>
      <p role="status" className="sr-only">
        {view.isPending ? 'Loading creator dashboard...' : ''}
      </p>
      {view.isPending && (
        <div aria-hidden className="mt-4">
          <Skeleton className="h-32 rounded-panel" />
          <Skeleton className="mt-10 h-48 rounded-panel" />
          <p className="mt-4 text-14 text-ink-2">Loading creator dashboard...</p>
        </div>
      )}
      {view.isError && (
        <ErrorState className="mt-4" title="Unable to Load Creator Dashboard">
          <Named text={problem} name={/^Creator "(.+)" is/.exec(problem)?.[1]} />
          <div className="mt-4 flex flex-wrap gap-3">
            <Button kind="solid" onClick={() => window.location.reload()}>
              Try Again
            </Button>
            <ButtonLink to={LIST}>Back to Creator List</ButtonLink>
          </div>
        </ErrorState>
      )}
      {creator && (
        <>
          <Identity creator={creator} />
          <p className="mt-3 flex items-center gap-2 text-13 text-ink-2">
            <Lock aria-hidden className="size-3.5 shrink-0" />
            Read only. The look is in the log. Controls and payout details are the creator’s own.
          </p>
          {dashboard(creator)}
        </>
      )}
    </WorkPage>
  );
}

function Crumb({ to, children }: { to: string; children: React.ReactNode }): React.ReactNode {
  return (
    <li className="flex items-center gap-3">
      <Link to={to} className="hover:text-ink">
        {children}
      </Link>
      <span aria-hidden>›</span>
    </li>
  );
}

function Identity({ creator }: { creator: AdminCreator }): React.ReactNode {
  return (
    <section aria-label="Admin View" className="mt-4 rounded-panel border border-line-strong bg-surface px-5 pt-3.5">
      <div className="flex flex-wrap items-center gap-3 pb-3.5">
        <span className="inline-flex h-6 items-center gap-1.5 rounded-pill bg-inverse px-2.5 text-13 font-[560] text-on-inverse">
          <Eye aria-hidden className="size-3.5" />
          Admin View
        </span>
        <h1 className="min-w-0 flex-1 basis-60 text-16 font-[560]">
          Viewing <Name>{creator.name}</Name>'s creator dashboard
        </h1>
        <Badge tone="good" icon={<Check aria-hidden />}>
          Active Creator
        </Badge>
        <ButtonLink size={32} to={LIST}>
          <ArrowLeft aria-hidden className="size-4" />
          Back to Creator List
        </ButtonLink>
      </div>
      <dl className="grid grid-cols-2 gap-x-8 border-t border-line text-14 lg:grid-cols-[auto_auto_1.2fr_1.6fr]">
        <Field label="Username">{creator.username}</Field>
        <Field label="Instagram">{creator.instagram || 'N/A'}</Field>
        <Field label="Model ID" wide>
          {modelOf(creator) ?? 'N/A'}
        </Field>
        <Field label="Creator ID" wide>
          {creator.id}
        </Field>
      </dl>
    </section>
  );
}

interface FieldProps {
  readonly label: string;
  readonly wide?: boolean;
  readonly children: React.ReactNode;
}

function Field({ label, wide = false, children }: FieldProps): React.ReactNode {
  return (
    <div className={wide ? 'py-3 max-lg:col-span-2 max-lg:pt-0' : 'py-3'}>
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd translate="no" className="break-all tabular-nums">
        {children}
      </dd>
    </div>
  );
}
