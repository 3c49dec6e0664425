import { CircleCheck, Eye, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { HealthLine } from '../../../../../src/contract/admin.js';
import { Badge, type Tone } from '../../../components/badge.js';
import { Skeletons } from '../../../components/skeleton.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Answer } from '../../../components/work-area/answer.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatUtcTime } from '../../../components/work-area/utc.js';

const STATES: Readonly<Record<HealthLine['state'], { word: string; tone: Tone; icon: LucideIcon }>> = {
  well: { word: 'Well', tone: 'good', icon: CircleCheck },
  watch: { word: 'Watch', tone: 'warn', icon: Eye },
  bad: { word: 'Bad', tone: 'bad', icon: TriangleAlert },
};

/** The state of the machinery, the worst first, with the next step for a person. */
export function Health(): React.ReactNode {
  const query = useRpc('get_admin_health', {}, liveTimings);
  return (
    <section id="health" aria-labelledby="health-title" className="mt-10 scroll-mt-20">
      <h2 id="health-title" className="display-sm text-32">
        Health
      </h2>
      <Answer query={query} words={{ failure: 'Failed to load the health. Please try again.' }} skeleton={<Blocks />}>
        {({ at, lines }) => (
          <>
            <ul className="mt-3 text-14">
              {worstFirst(lines).map((line) => (
                <Line key={line.name} line={line} />
              ))}
            </ul>
            <p className="mt-3 text-13 text-ink-2">Read at {formatUtcTime(at)} UTC.</p>
          </>
        )}
      </Answer>
    </section>
  );
}

function Line({ line }: { readonly line: HealthLine }): React.ReactNode {
  const { word, tone, icon: Icon } = STATES[line.state];
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-[9px] first:border-t">
      <span className="w-40 shrink-0 font-[560]">{line.name}</span>
      <div className="min-w-60 flex-1 text-ink-2">
        <p>{line.what}</p>
        {line.todo !== null && <p className="text-ink">{line.todo}</p>}
      </div>
      <Badge tone={tone} icon={<Icon aria-hidden />}>
        {word}
      </Badge>
    </li>
  );
}

function worstFirst(lines: readonly HealthLine[]): HealthLine[] {
  const order = ['bad', 'watch', 'well'] as const;
  return lines.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

function Blocks(): React.ReactNode {
  return (
    <div className="mt-3 space-y-2">
      <Skeletons count={5} className="h-9 rounded-sm" />
    </div>
  );
}
