import * as Tabs from '@radix-ui/react-tabs';
import { useSearchParams } from 'react-router-dom';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { PageCount } from '../../../components/work-area/page-count.js';
import { Payments } from './payments.js';
import { ProposalList } from './proposal-list.js';
import { TabTrigger } from './tab-trigger.js';
import { UserList } from './user-list.js';

const TABS = ['users', 'proposals', 'payments'] as const;
type Tab = (typeof TABS)[number];
const FOOTERS: Readonly<Record<Tab, string>> = {
  users: 'Balances leave lapsed credits out',
  proposals: 'A second admin decides about credits above the daily limit of one admin.',
  payments: 'Payments that need a person, the oldest first.',
};

/** /admin/users: all users, proposals that wait for a second admin, and payments that need a person. */
export default function UsersPage(): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'users';
  const proposals = useRpc('list_credit_proposals_admin', {});
  const problems = useRpc('get_payment_problems', {});
  const stuck = useRpc('list_stuck_checkouts_admin', {});
  const payments = (problems.data?.length ?? 0) + (stuck.data?.[0]?.total_count ?? 0);
  return (
    <WorkPage title="Users" footer={FOOTERS[tab]}>
      <Tabs.Root
        value={tab}
        onValueChange={(next) => setParams(next === 'users' ? {} : { tab: next }, { replace: true })}
        className="mt-3"
      >
        <Tabs.List
          aria-label="Users"
          className="no-scrollbar -mx-1.5 flex gap-3 overflow-x-auto border-b border-line sm:gap-4"
        >
          <TabTrigger value="users">Users</TabTrigger>
          <TabTrigger value="proposals">
            Proposals
            <PageCount count={proposals.data?.[0]?.total_count} />
          </TabTrigger>
          <TabTrigger value="payments">
            Payments
            <PageCount count={payments} />
          </TabTrigger>
        </Tabs.List>
        <Tabs.Content value="users" className="pt-4">
          <UserList />
        </Tabs.Content>
        <Tabs.Content value="proposals" className="pt-4">
          <ProposalList />
        </Tabs.Content>
        <Tabs.Content value="payments" className="pt-4">
          <Payments problems={problems} stuck={stuck} />
        </Tabs.Content>
      </Tabs.Root>
    </WorkPage>
  );
}
