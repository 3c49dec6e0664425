import { type Kysely } from 'kysely';
import { type EventStore } from '../event-store/event-store.js';
import {
  type Checkpoint,
  type CheckpointTables,
  readCheckpoints,
  readRebuilds,
  type RebuildRow,
} from './checkpoint.js';
import { type Projection } from './projection.js';
import { progressOf, type RebuildProgress } from './projection-rebuild.js';

/** Maximum count of unapplied events: beyond it, the lag in seconds is more useful. */
export const LAG_COUNTED_TO = 10_000;

/**
 * `current`: all stored events are applied. `behind`: some are not. `new`: the first build is in progress, and reads
 * are incomplete until it is current. `outdated`: the tables have an older version, and the new ones are being built.
 * `ahead`: a newer build has written the tables.
 */
export type ProjectionState = 'current' | 'behind' | 'new' | 'outdated' | 'ahead';

export interface ProjectionStatus {
  readonly name: string;
  readonly state: ProjectionState;
  /** Version of the live tables; null when there is none yet. */
  readonly liveVersion: number | null;
  /** Version of this build. */
  readonly version: number;
  /** Position of the last applied event. Opaque. */
  readonly position: string | null;
  /** Unapplied events; 10,000 means that or more. */
  readonly lagEvents: number;
  /** Age of the oldest unapplied event in seconds; 0 when there is none. */
  readonly lagSeconds: number;
  /** Progress of a rebuild; null when there is none. */
  readonly rebuild: (RebuildProgress & { readonly version: number }) | null;
}

/** The parts of a projection on which its progress depends. */
type ProjectionIdentity = Pick<Projection<unknown>, 'name' | 'version' | 'streamPrefix'>;

/** Returns the progress of these projections. Reads shared facts once. */
export async function statusOf(
  db: Kysely<CheckpointTables>,
  eventStore: EventStore,
  projections: readonly ProjectionIdentity[],
): Promise<ProjectionStatus[]> {
  const prefixes = [...new Set(projections.map(({ streamPrefix }) => streamPrefix))];
  const [checkpoints, rebuilds, ends] = await Promise.all([
    readCheckpoints(db),
    readRebuilds(db),
    Promise.all(prefixes.map(async (prefix) => [prefix, await eventStore.lastPosition(prefix)] as const)),
  ]);
  const lasts = new Map(ends);
  return Promise.all(
    projections.map((projection) => {
      const { name, streamPrefix } = projection;
      const stored = { live: checkpoints.get(name) ?? null, rebuild: rebuilds.get(name) ?? null };
      return judge(eventStore, projection, { ...stored, last: lasts.get(streamPrefix) ?? null });
    }),
  );
}

/** The progress of all projections together, in two statements. */
export interface ProjectionPulse {
  /** When the oldest event was stored that a projection has not applied; null when there is none. */
  readonly oldestUnapplied: Date | null;
  /** Names of projections whose tables are built for the first time, or again. */
  readonly building: readonly string[];
}

/** Returns the progress of these projections together. */
export async function pulseOf(
  db: Kysely<CheckpointTables>,
  eventStore: EventStore,
  projections: readonly ProjectionIdentity[],
): Promise<ProjectionPulse> {
  const checkpoints = await readCheckpoints(db);
  const slowest = new Map<string, string | null>();
  for (const { name, streamPrefix } of projections) {
    const position = checkpoints.get(name)?.position ?? null;
    const known = slowest.get(streamPrefix);
    if (known === undefined || isBefore(eventStore, position, known)) slowest.set(streamPrefix, position);
  }
  const next = await Promise.all(
    [...slowest].map(([streamPrefix, after]) => eventStore.readAll({ after, limit: 1, streamPrefix })),
  );
  const times = next.flat().map(({ recordedAt }) => recordedAt.getTime());
  const building = projections.filter(({ name, version }) => {
    const live = checkpoints.get(name);
    return live ? live.version < version || (!live.complete && times.length > 0) : times.length > 0;
  });
  return {
    oldestUnapplied: times.length === 0 ? null : new Date(Math.min(...times)),
    building: building.map(({ name }) => name),
  };
}

/** Null is the position before the first event. */
function isBefore(eventStore: EventStore, position: string | null, other: string | null): boolean {
  if (position === null || other === null) return position === null && other !== null;
  return eventStore.comparePositions(position, other) < 0;
}

async function judge(
  eventStore: EventStore,
  { name, version, streamPrefix }: ProjectionIdentity,
  {
    live,
    rebuild,
    last,
  }: { readonly live: Checkpoint | null; readonly rebuild: RebuildRow | null; readonly last: string | null },
): Promise<ProjectionStatus> {
  const position = live?.position ?? null;
  const reached = last === null || (position !== null && eventStore.comparePositions(position, last) >= 0);
  const lagEvents = reached ? 0 : await eventStore.countAfter(position, { streamPrefix, atMost: LAG_COUNTED_TO });
  const [oldest] = lagEvents > 0 ? await eventStore.readAll({ after: position, limit: 1, streamPrefix }) : [];
  return {
    name,
    version,
    position,
    lagEvents,
    liveVersion: live?.version ?? null,
    lagSeconds: oldest ? Math.max(0, (Date.now() - oldest.recordedAt.getTime()) / 1000) : 0,
    state: projectionState(live, version, lagEvents),
    rebuild: rebuild && { version: rebuild.version, ...progressOf(rebuild) },
  };
}

function projectionState(live: Checkpoint | null, version: number, lagEvents: number): ProjectionState {
  if (live && live.version > version) return 'ahead';
  if (live && live.version < version) return 'outdated';
  if (lagEvents === 0) return 'current';
  return live?.complete ? 'behind' : 'new';
}
