import { type Metrics } from '../metrics/metrics.js';
import { type ProjectionRunner } from './projection-runner.js';

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Publishes on `/metrics` the progress of each projection (shared state), and the work of this process on it. */
export function measureProjections(runner: ProjectionRunner, metrics: Metrics): void {
  const labels = ['projection'] as const;
  const pages = metrics.histogram({
    name: 'fanvas_projection_page_duration_seconds',
    labels,
    buckets: SECONDS,
    help: 'Time to read and apply a page of events to the live tables, by this process.',
  });
  const applied = metrics.counter({
    name: 'fanvas_projection_events_applied_total',
    labels,
    help: 'Events applied to the live tables by this process.',
  });
  const failed = metrics.counter({
    name: 'fanvas_projection_failures_total',
    labels,
    help: 'Pages and rebuilds that failed in this process; each is retried.',
  });
  runner.observe({
    applied: (projection, events, seconds) => {
      pages.observe({ projection }, seconds);
      applied.inc({ projection }, events);
    },
    failed: (projection) => failed.inc({ projection }),
  });

  const lagEvents = metrics.gauge({
    name: 'fanvas_projection_lag_events',
    labels,
    help: 'Events that are stored and not yet applied; 10000 means that or more.',
    shared: true,
  });
  const lagSeconds = metrics.gauge({
    name: 'fanvas_projection_lag_seconds',
    labels,
    help: 'Age of the oldest event that is not yet applied; 0 when there is none.',
    shared: true,
  });
  const position = metrics.gauge({
    name: 'fanvas_projection_position',
    labels,
    help: 'Last number in the position of the last event applied: grows while the projection makes progress.',
    shared: true,
  });
  const state = metrics.gauge({
    name: 'fanvas_projection_state',
    labels: ['projection', 'state'],
    help: '1 for the current state: current, behind, new, outdated or ahead.',
    shared: true,
  });
  const version = metrics.gauge({
    name: 'fanvas_projection_live_version',
    labels,
    help: 'Version of the live tables; 0 when there are none.',
    shared: true,
  });
  const rebuilt = metrics.gauge({
    name: 'fanvas_projection_rebuild_events',
    labels: ['projection', 'part'],
    help: 'During a rebuild: events applied so far, and in total.',
    shared: true,
  });
  const eta = metrics.gauge({
    name: 'fanvas_projection_rebuild_eta_seconds',
    labels,
    help: 'During a rebuild: estimated time until all events are applied.',
    shared: true,
  });
  metrics.beforeShown(
    async () => {
      const all = await runner.status();
      for (const gauge of [state, rebuilt, eta]) gauge.reset();
      for (const status of all) {
        const projection = status.name;
        lagEvents.set({ projection }, status.lagEvents);
        lagSeconds.set({ projection }, status.lagSeconds);
        position.set({ projection }, Number(/\d+$/.exec(status.position ?? '0')?.[0] ?? 0));
        version.set({ projection }, status.liveVersion ?? 0);
        state.set({ projection, state: status.state }, 1);
        if (!status.rebuild) continue;
        rebuilt.set({ projection, part: 'applied' }, status.rebuild.events);
        rebuilt.set({ projection, part: 'total' }, status.rebuild.total);
        if (status.rebuild.etaSeconds !== null) eta.set({ projection }, status.rebuild.etaSeconds);
      }
    },
    { shared: true },
  );
}
