import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../metrics/metrics.js';
import { measureProjections } from './measure-projections.js';
import { type ProjectionObserver, type ProjectionRunner, type RunnerStatus } from './projection-runner.js';

const BEHIND: RunnerStatus = {
  name: 'balances',
  state: 'outdated',
  liveVersion: 2,
  version: 3,
  position: '7/42',
  lagEvents: 6,
  lagSeconds: 1.5,
  rebuild: { version: 3, events: 5, total: 11, eventsPerSecond: 0.75, etaSeconds: 8 },
  failing: false,
};

describe('measureProjections', () => {
  it('shows the work of this process, and the progress only where the figures of the database are shown', async () => {
    const metrics = new Metrics();
    let observer: ProjectionObserver | undefined;
    measureProjections(
      {
        status: () => Promise.resolve([BEHIND]),
        observe: (given: ProjectionObserver) => (observer = given),
      } as unknown as ProjectionRunner,
      metrics,
    );
    observer?.applied('balances', 4, 0.2);
    observer?.failed('balances');
    const shown = async (exports: boolean): Promise<string[]> => {
      metrics.exportSharedAs({ exportsShared: () => Promise.resolve(exports) });
      const { body } = await metrics.text();
      return body.split('\n').filter((line) => line !== '' && !/^#.*HELP|_bucket\{/.test(line));
    };
    const work = [
      '# TYPE fanvas_projection_page_duration_seconds histogram',
      'fanvas_projection_page_duration_seconds_sum{projection="balances"} 0.2',
      'fanvas_projection_page_duration_seconds_count{projection="balances"} 1',
      '# TYPE fanvas_projection_events_applied_total counter',
      'fanvas_projection_events_applied_total{projection="balances"} 4',
      '# TYPE fanvas_projection_failures_total counter',
      'fanvas_projection_failures_total{projection="balances"} 1',
    ];
    const progress = [
      '# TYPE fanvas_projection_lag_events gauge',
      'fanvas_projection_lag_events{projection="balances"} 6',
      '# TYPE fanvas_projection_lag_seconds gauge',
      'fanvas_projection_lag_seconds{projection="balances"} 1.5',
      '# TYPE fanvas_projection_position gauge',
      'fanvas_projection_position{projection="balances"} 42',
      '# TYPE fanvas_projection_state gauge',
      'fanvas_projection_state{projection="balances",state="outdated"} 1',
      '# TYPE fanvas_projection_live_version gauge',
      'fanvas_projection_live_version{projection="balances"} 2',
      '# TYPE fanvas_projection_rebuild_events gauge',
      'fanvas_projection_rebuild_events{projection="balances",part="applied"} 5',
      'fanvas_projection_rebuild_events{projection="balances",part="total"} 11',
      '# TYPE fanvas_projection_rebuild_eta_seconds gauge',
      'fanvas_projection_rebuild_eta_seconds{projection="balances"} 8',
    ];
    expect(await shown(false)).toEqual(work);
    expect(await shown(true)).toEqual([...work, ...progress]);
  });
});
