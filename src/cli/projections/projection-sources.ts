import { type Kysely } from 'kysely';
import { type Config } from '../../platform/config/config.js';
import { createDatabase } from '../../platform/database/pool.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { type CheckpointTables } from '../../platform/projections/checkpoint.js';
import { type Projection } from '../../platform/projections/projection.js';
import { type RebuildProgress } from '../../platform/projections/projection-rebuild.js';
import { projections, projectionsOf } from '../../composition/projections.js';
import { count } from '../output.js';
import { UsageError } from '../program.js';
import { type DatabaseUser, openSources, type Sources } from '../sources.js';

/** Tables that exist once the app was started. */
const TABLES = ['event', 'projection_checkpoint', 'projection_rebuild'];

/** The names of all projections, for people. */
export const PROJECTION_NAMES = projections.map(({ name }) => name).join(', ');

export interface ProjectionSources {
  readonly db: Kysely<CheckpointTables>;
  readonly eventStore: EventStore;
}

/** Opens the data of the projections. See {@link openSources}. */
export async function openProjections(config: Config, as: DatabaseUser): Promise<ProjectionSources> {
  const { pool, eventStore } = await openProjectionTables(config, as);
  return { db: createDatabase<CheckpointTables>(pool), eventStore };
}

/** Opens the tables of the projections and their events. See {@link openSources}. */
export function openProjectionTables(config: Config, as: DatabaseUser): Promise<Sources> {
  return openSources(config, { tables: TABLES, as, noStatementTimeout: true });
}

/** @throws UsageError for an unknown name */
export function findProjection(name: string): (typeof projections)[number] {
  const projection = projections.find((each) => each.name === name);
  if (!projection) throw new UsageError(`There is no projection '${name}'. The projections are ${PROJECTION_NAMES}.`);
  return projection;
}

/** The projection of a known name, ready to apply events. */
export function projectionOf(name: string, { eventStore }: ProjectionSources): Projection<unknown> {
  const projection = projectionsOf(eventStore).find((each) => each.name === name);
  if (!projection) throw new Error(`The projection ${name} is listed and cannot be built.`);
  return projection;
}

/** Formats the progress of a rebuild. */
export function formatProgress({ events, total, eventsPerSecond, etaSeconds }: RebuildProgress): string {
  const share = total === 0 ? 100 : Math.floor((events * 100) / total);
  const eta = etaSeconds === null ? '' : `, ${count(eventsPerSecond)} a second, about ${count(etaSeconds)} s to go`;
  return `${count(events)} of ${count(total)} events (${share} %)${eta}`;
}
