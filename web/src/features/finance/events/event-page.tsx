import { useParams } from 'react-router-dom';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useEscBack } from '../components/use-esc-back.js';
import { EventPanel } from './event-panel.js';

/** /finance/events/{userId}/{version}: the entries of an event, which sum to zero. */
export default function EventPage(): React.ReactNode {
  const { userId = '', version = '' } = useParams();
  useEscBack();
  return (
    <WorkPage
      title="Event"
      back={{ to: '/finance', label: 'Overview' }}
      footer="The entries of an event sum to zero: debits equal credits"
    >
      <div className="mt-4 max-w-[720px]">
        <EventPanel userId={userId} version={Number(version)} />
      </div>
    </WorkPage>
  );
}
