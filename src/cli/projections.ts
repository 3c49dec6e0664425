import 'reflect-metadata';
import { type Kysely } from 'kysely';
import { atEnd, count, note, openSources, progress, runProgram, say, UsageError, verb } from './command-line.js';
import { type Config } from '../platform/config/config.js';
import { createDatabase } from '../platform/database/pool.js';
import { type EventStore } from '../platform/event-store/event-store.js';
import { type CheckpointTables, readCheckpoint } from '../platform/projections/checkpoint.js';
import { type Projection, ProjectionError } from '../platform/projections/projection.js';
import { ProjectionRebuild, type RebuildProgress } from '../platform/projections/projection-rebuild.js';
import { LAG_COUNTED_TO, type ProjectionStatus, statusOf } from '../platform/projections/projection-status.js';
import { ShadowTablesError } from '../platform/projections/shadow-tables.js';
import { projections } from '../projections.js';

/** What the app makes when it is started once. */
const TABLES = ['event', 'projection_checkpoint', 'projection_rebuild'];
const NAMES = projections.map(({ name }) => name).join(', ');

const flag = { type: 'boolean', default: false } as const;

/** `npm run projections -- <verb>`. */
const verbs = {
  status: verb({
    usage: `status [--json]
    how far each projection is, and what is in the making`,
    options: { json: flag },
    run: async ({ json }, _, config) => status(await sources(config), json),
  }),
  rebuild: verb({
    usage: `rebuild <projection> [--fresh] [--json]
    makes its tables anew from all events, beside the running app, then puts them in place; goes on with an unfinished
    rebuild, or begins again with --fresh`,
    options: { json: flag, fresh: flag },
    operand: `a projection: ${NAMES}`,
    run: async (values, name, config) => {
      const projection = named(name);
      return rebuild(await sources(config), projection, values);
    },
  }),
  abandon: verb({
    usage: `abandon <projection>
    drops what an unfinished rebuild has made`,
    options: {},
    operand: `a projection: ${NAMES}`,
    run: async (_values, name, config) => {
      const projection = named(name);
      return abandon(await sources(config), projection);
    },
  }),
};

runProgram({
  name: 'npm run projections --',
  verbs,
  remarks: `Projections: ${NAMES}. The exit code is 0 only when all is well.`,
  sentences: [ShadowTablesError],
});

interface Sources {
  readonly db: Kysely<CheckpointTables>;
  readonly eventStore: EventStore;
}

async function sources(config: Config): Promise<Sources> {
  const { pool, eventStore } = await openSources(config, { tables: TABLES, patient: true });
  return { db: createDatabase<CheckpointTables>(pool), eventStore };
}

function named(name: string): Projection<unknown> {
  const found = projections.find((projection) => projection.name === name);
  if (!found) throw new UsageError(`There is no projection '${name}'; there are ${NAMES}.`);
  return found;
}

async function status({ db, eventStore }: Sources, json: boolean): Promise<boolean> {
  let well = true;
  for (const projection of projections) {
    const [found] = await statusOf(db, eventStore, [projection]);
    if (!found) continue;
    well &&= found.state === 'current' || found.state === 'behind';
    say(json ? JSON.stringify(found) : wordsOf(found));
  }
  return well;
}

function wordsOf({
  name,
  state,
  liveVersion,
  version,
  position,
  lagEvents,
  lagSeconds,
  rebuild,
}: ProjectionStatus): string {
  const of = liveVersion === version ? `version ${version}` : `version ${liveVersion ?? 'none'}, to become ${version}`;
  const events = lagEvents < LAG_COUNTED_TO ? count(lagEvents) : `${count(LAG_COUNTED_TO)} or more`;
  const lag = lagEvents === 0 ? '' : `, ${events} events and ${Math.ceil(lagSeconds)} s behind`;
  const making = rebuild ? `\n  version ${rebuild.version} in the making: ${progressWords(rebuild)}` : '';
  return `${name}: ${state} (${of}), at ${position ?? 'the beginning'}${lag}${making}`;
}

function progressWords({ events, total, eventsPerSecond, etaSeconds }: RebuildProgress): string {
  const share = total === 0 ? 100 : Math.floor((events * 100) / total);
  const eta = etaSeconds === null ? '' : `, ${count(eventsPerSecond)} a second, about ${count(etaSeconds)} s to go`;
  return `${count(events)} of ${count(total)} events (${share} %)${eta}`;
}

async function rebuild(
  { db, eventStore }: Sources,
  projection: Projection<unknown>,
  { fresh, json }: { fresh: boolean; json: boolean },
): Promise<boolean> {
  const { name, version } = projection;
  const live = await readCheckpoint(db, name);
  if (!live) throw new UsageError(`${name} was never built: the app does that when it runs.`);
  if (live.version > version) throw new UsageError(`${name} was built by a newer version of Fanvas; use that one.`);
  const started = performance.now();
  const onProgress = progress((soFar: RebuildProgress) =>
    json ? JSON.stringify({ progress: soFar }) : progressWords(soFar),
  );
  const abort = new AbortController();
  const running = new ProjectionRebuild(db, eventStore, projection).run({
    fresh,
    signal: abort.signal,
    onProgress,
    onBusy: (attempts) => {
      if (attempts % 10 === 1) note('All is built; readers keep the tables from being exchanged.');
    },
  });
  atEnd(async () => {
    // Interrupted: it ends between two pages, before the database is given up; the next one goes on there
    abort.abort();
    await running.catch(() => undefined);
  });
  const end = await running.catch((error: unknown) => {
    if (!(error instanceof ProjectionError)) throw error;
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    note(`${error.message}${cause}\nThe live tables are as they were. See status and abandon.`);
    return 'failed' as const;
  });
  if (end === 'failed') return false;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  if (json) say(JSON.stringify({ name, version, end, seconds }));
  else if (end === 'switched') say(`${name} was made anew in ${seconds} s and is live.`);
  else if (end === 'elsewhere') say(`Another process has taken ${name} over, or put it in place; see status.`);
  else say('Interrupted; the same command goes on where it stopped.');
  return end === 'switched';
}

async function abandon({ db, eventStore }: Sources, projection: Projection<unknown>): Promise<boolean> {
  const dropped = await new ProjectionRebuild(db, eventStore, projection).abandon();
  say(dropped ? `What was made of ${projection.name} is dropped.` : `There is nothing in the making.`);
  return true;
}
