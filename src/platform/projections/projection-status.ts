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

/** Events behind are counted no further than this: by then, the seconds tell more. */
export const LAG_COUNTED_TO = 10_000;

/**
 * `current`: all events that are stored are applied. `behind`: some are not yet. `new`: it is being made for the first time, and
 * answers are incomplete until it is current. `outdated`: the tables answer as an older version made them, while the new ones are
 * made beside. `ahead`: a newer build has made them.
 */
export type ProjectionState = 'current' | 'behind' | 'new' | 'outdated' | 'ahead';

export interface ProjectionStatus {
  readonly name: string;
  readonly state: ProjectionState;
  /** Version of the live tables; null when there is none yet. */
  readonly liveVersion: number | null;
  /** Version of this build. */
  readonly version: number;
  /** Of the last event applied. Opaque. */
  readonly position: string | null;
  /** Not applied yet; 10,000 stands for that or more. */
  readonly lagEvents: number;
  /** Age of the oldest event that is not applied yet; 0 when there is none. */
  readonly lagSeconds: number;
  /** Of tables that are in the making; null when none are. */
  readonly rebuild: (RebuildProgress & { readonly version: number }) | null;
}

/** How far these projections are, by what is stored. What they have in common is asked once. */
export async function statusOf(
  db: Kysely<CheckpointTables>,
  eventStore: EventStore,
  projections: readonly Projection<unknown>[],
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

async function judge(
  eventStore: EventStore,
  { name, version, streamPrefix }: Projection<unknown>,
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
    ...{ name, version, position, lagEvents, liveVersion: live?.version ?? null },
    lagSeconds: oldest ? Math.max(0, (Date.now() - oldest.recordedAt.getTime()) / 1000) : 0,
    state: stateOf(live, version, lagEvents),
    rebuild: rebuild && { version: rebuild.version, ...progressOf(rebuild) },
  };
}

function stateOf(live: Checkpoint | null, version: number, lagEvents: number): ProjectionState {
  if (live && live.version > version) return 'ahead';
  if (live && live.version < version) return 'outdated';
  if (lagEvents === 0) return 'current';
  return live?.complete ? 'behind' : 'new';
}
