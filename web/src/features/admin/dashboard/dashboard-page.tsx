import { Skeleton, Skeletons } from '../../../components/skeleton.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { Answer } from '../../../components/work-area/answer.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { Cards } from './cards.js';
import { Health } from './health.js';
import { NeedsAPerson } from './needs-a-person.js';
import { LastActs, RightNow } from './right-now.js';

/** /admin: the two cards of the specification, all queues, and the state of the place. */
export default function DashboardPage(): React.ReactNode {
  const query = useRpc('get_admin_overview', {}, liveTimings);
  const now = query.dataUpdatedAt;
  return (
    <WorkPage title="Admin Dashboard" size={56}>
      <Cards overview={query.data} />
      <div className="mt-12 grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_376px]">
        <div className="min-w-0">
          <Answer
            query={query}
            words={{ failure: 'Failed to load the dashboard. Please try again.' }}
            skeleton={<Blocks />}
          >
            {({ queues }) => <NeedsAPerson queues={queues} now={now} />}
          </Answer>
          <Health />
        </div>
        {query.data && (
          <div>
            <RightNow overview={query.data} now={now} />
            <LastActs acts={query.data.acts} now={now} />
          </div>
        )}
      </div>
    </WorkPage>
  );
}

function Blocks(): React.ReactNode {
  return (
    <div className="space-y-2">
      <Skeleton className="h-8 w-52 rounded-sm" />
      <Skeletons count={4} className="h-14 rounded-sm" />
    </div>
  );
}
