import { Lock } from 'lucide-react';
import * as Tabs from '@radix-ui/react-tabs';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { AdminUser } from '../../../../../src/contract/admin-users.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge, Banner } from '../../../components/badge.js';
import { buttonClass } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { ErrorState } from '../../../components/states.js';
import { ApiError } from '../../../lib/api.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { Acts, useMayAct } from '../../../components/work-area/acts.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { ListRows } from '../../../components/work-area/list-rows.js';
import { PageCount } from '../../../components/work-area/page-count.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { LogOfUser } from '../log/log-page.js';
import { AdjustCredits } from './adjust-credits.js';
import { LedgerTab } from './ledger-tab.js';
import { LotsTab } from './lots-tab.js';
import { PicturesTab } from './pictures-tab.js';
import { ProposalItem } from './proposal-item.js';
import { PurchasesTab } from './purchases-tab.js';
import { ReportsTab } from './reports-tab.js';
import { StatementTab } from './statement-tab.js';
import { SuspensionActs } from './suspension-acts.js';
import { TabTrigger } from './tab-trigger.js';
import { UserBadges } from './user-list.js';
import { userName } from './user-text.js';
import { Name } from '../../../components/name.js';

const LIST = '/admin/users';
const TABS = [
  ['ledger', 'Ledger'],
  ['statement', 'Statement'],
  ['pictures', 'Pictures'],
  ['purchases', 'Purchases'],
  ['reports', 'Reports'],
  ['lots', 'Lots'],
  ['acts', 'Acts'],
] as const;

/** /admin/users/{userId}: one user with their account, purchases and what admins have done. */
export default function UserPage(): React.ReactNode {
  const { userId = '' } = useParams();
  // Nothing of one user may be seen or typed on the page of another one.
  return <PageOf key={userId} userId={userId} />;
}

function PageOf({ userId }: { readonly userId: string }): React.ReactNode {
  const query = useRpc('get_user_admin', { p_user_id: userId });
  const navigate = useNavigate();
  const user = query.data;
  useKeys([{ keys: ['Esc'], label: 'Back', run: () => void navigate(LIST) }]);
  return (
    <WorkPage
      title={user ? userName(user) : 'User'}
      name={user && userName(user)}
      heading={false}
      back={{ to: LIST, label: 'Users' }}
      footer={
        user &&
        (user.events === 0
          ? 'This user has no account yet.'
          : `Account of ${user.events.toLocaleString('en')} ${user.events === 1 ? 'event' : 'events'}, each chained to the one before.`)
      }
    >
      {query.error instanceof ApiError && query.error.status === 404 ? (
        <ErrorState title="There is no such user" />
      ) : (
        <Answer query={query} words={loadWords('the user')} skeleton={<Blocks />}>
          {(loaded) => <Content user={loaded} />}
        </Answer>
      )}
    </WorkPage>
  );
}

function Content({ user }: { readonly user: AdminUser }): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(([value]) => value === params.get('tab'))?.[0] ?? 'ledger';
  const name = userName(user);
  const open = user.proposals.filter(({ state }) => state === 'open');
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-center gap-4">
          <Avatar name={name} size={56} />
          <div className="min-w-0">
            <h1 translate="no" className="display text-44 break-words">
              {name}
            </h1>
            <p className="text-14 [overflow-wrap:anywhere] text-ink-2">
              <Name>{[user.email, user.user_id].filter(Boolean).join(', ')}</Name>
              <span>, since {formatUtcDay(user.joined_at)}</span>
            </p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
          <Link className={buttonClass({ kind: 'line' })} to="?tab=statement" replace>
            Statement
          </Link>
          {!user.closed && !user.own && (
            <Acts>
              <Link className={buttonClass({ kind: 'line' })} to="?tab=purchases" replace>
                Refund a purchase
              </Link>
              <SuspensionActs user={user} />
            </Acts>
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        <UserBadges row={user} />
        {user.roles.map((role) => (
          <Badge key={role}>{role}</Badge>
        ))}
        {user.strikes > 0 && (
          <Badge tone="warn">
            {user.strikes} {user.strikes === 1 ? 'strike' : 'strikes'}
          </Badge>
        )}
      </div>
      {user.closed && (
        <Banner className="mt-4" icon={<Lock aria-hidden />}>
          This account is closed. You can read it, and nothing can be changed.
        </Banner>
      )}
      {user.suspension && (
        <Banner tone="bad" className="mt-4" icon={<Lock aria-hidden />}>
          <b className="font-[600]">
            Suspended {user.suspension.until === null ? 'until lifted' : `until ${formatUtcDay(user.suspension.until)}`}
          </b>
          <span>
            , since {formatUtcDay(user.suspension.since)}. The fan reads: “{user.suspension.reason}”
          </span>
        </Banner>
      )}
      <Figures user={user} />
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_376px]">
        <Tabs.Root
          value={tab}
          onValueChange={(next) => setParams(next === 'ledger' ? {} : { tab: next }, { replace: true })}
          className="min-w-0"
        >
          <Tabs.List
            aria-label={`About ${name}`}
            className="no-scrollbar -mx-1.5 flex gap-2 overflow-x-auto border-b border-line"
          >
            {TABS.map(([value, label]) => (
              <TabTrigger key={value} value={value}>
                {label}
                {value === 'pictures' && <PageCount count={user.images} noun="in all" />}
              </TabTrigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="ledger">
            <LedgerTab userId={user.user_id} />
          </Tabs.Content>
          <Tabs.Content value="statement">
            <StatementTab userId={user.user_id} />
          </Tabs.Content>
          <Tabs.Content value="pictures">
            <PicturesTab userId={user.user_id} />
          </Tabs.Content>
          <Tabs.Content value="reports">
            <ReportsTab user={user} />
          </Tabs.Content>
          <Tabs.Content value="lots">
            <LotsTab lots={user.lots} />
          </Tabs.Content>
          <Tabs.Content value="purchases">
            <PurchasesTab user={user} />
          </Tabs.Content>
          <Tabs.Content value="acts">
            <LogOfUser userId={user.user_id} />
          </Tabs.Content>
        </Tabs.Root>
        <div className="space-y-8">
          <Adjust user={user} />
          {open.length > 0 && (
            <section aria-labelledby="waits">
              <h2 id="waits" className="display-sm text-24">
                Waits for a second admin
              </h2>
              <ListRows
                caption="Waits for a second admin"
                rows={open}
                rowKey={({ id }) => id}
                item={(proposal) => <ProposalItem proposal={proposal} />}
                className="mt-2"
              />
            </section>
          )}
        </div>
      </div>
    </>
  );
}

function Adjust({ user }: { readonly user: AdminUser }): React.ReactNode {
  // After a change the form starts empty.
  const [round, setRound] = useState(0);
  const mayAct = useMayAct();
  if (user.closed || !mayAct) return null;
  return (
    <section aria-labelledby="adjust" className="rounded-panel border border-line bg-surface p-5 outline-none sm:p-6">
      <h2 id="adjust" tabIndex={-1} className="display-sm text-24 outline-none">
        Adjust credits
      </h2>
      {user.own ? (
        <p className="mt-3 text-14 text-ink-2">This is your own account. Only another admin can change its balance.</p>
      ) : (
        <AdjustCredits
          key={round}
          user={user}
          onDone={() => {
            setRound(round + 1);
            document.getElementById('adjust')?.focus();
          }}
        />
      )}
    </section>
  );
}

function Figures({ user }: { readonly user: AdminUser }): React.ReactNode {
  const figures = [
    ['Balance', user.total_balance],
    ['Daily', user.daily_credits],
    ['Bonus', user.bonus_credits],
    ['Purchased', user.paid_credits],
    ['Owed', user.debt],
    ['Spent', user.spent],
  ] as const;
  return (
    <dl className="mt-5 grid grid-cols-3 gap-y-5 border-y border-line py-4 sm:grid-cols-6 sm:divide-x sm:divide-line">
      {figures.map(([label, credits]) => (
        <div key={label} className="sm:px-5 sm:first:pl-0">
          <dt className="text-14 text-ink-2">{label}</dt>
          <dd className="display-sm mt-1 text-32 tabular-nums">{credits.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  );
}

function Blocks(): React.ReactNode {
  return (
    <div>
      <Skeleton className="h-14 w-80 rounded-sm" />
      <Skeleton className="mt-6 h-24 rounded-sm" />
      <Skeleton className="mt-8 h-96 rounded-panel" />
    </div>
  );
}
