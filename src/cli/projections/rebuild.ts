import { readCheckpoint } from '../../platform/projections/checkpoint.js';
import { ProjectionError } from '../../platform/projections/projection.js';
import { ProjectionRebuild, type RebuildProgress } from '../../platform/projections/projection-rebuild.js';
import { type Config } from '../../platform/config/config.js';
import { note, progress, say } from '../output.js';
import { type AddVerb, atEnd, UsageError } from '../program.js';
import { JSON_OPTION } from '../ledger/arguments.js';
import {
  findProjection,
  formatProgress,
  openProjections,
  PROJECTION_NAMES,
  projectionOf,
} from './projection-sources.js';

interface RebuildOptions {
  readonly json: boolean;
  readonly fresh: boolean;
}

/** `rebuild`: builds a projection's tables again while the app runs. */
export const addRebuild: AddVerb = (program, run) => {
  program
    .command('rebuild')
    .argument('<projection>', PROJECTION_NAMES)
    .description(
      'builds the tables again from all events while the app runs, then switches; continues an unfinished rebuild',
    )
    .option('--fresh', 'start again instead of continuing', false)
    .addOption(JSON_OPTION)
    .action((name: string, options: RebuildOptions) => run(({ config }) => rebuild(name, options, config)));
};

async function rebuild(projectionName: string, { fresh, json }: RebuildOptions, config: Config): Promise<boolean> {
  const { name, version } = findProjection(projectionName);
  const sources = await openProjections(config, 'app');
  const { db, eventStore } = sources;
  const live = await readCheckpoint(db, name);
  if (!live) throw new UsageError(`${name} was never built: the app does that when it runs.`);
  if (live.version > version) throw new UsageError(`${name} was built by a newer version of Fanvas; use that one.`);
  const started = performance.now();
  const onProgress = progress((soFar: RebuildProgress) =>
    json ? JSON.stringify({ progress: soFar }) : formatProgress(soFar),
  );
  const abort = new AbortController();
  const running = new ProjectionRebuild(db, eventStore, projectionOf(name, sources)).run({
    fresh,
    signal: abort.signal,
    onProgress,
    onBusy: (attempts) => {
      if (attempts % 10 === 1) note('The tables are built; readers delay the switch.');
    },
  });
  atEnd(async () => {
    // After an interruption the rebuild ends between two pages, before the database closes. The next run continues.
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
  else if (end === 'switched') say(`${name} was rebuilt in ${seconds} s and is live.`);
  else if (end === 'elsewhere') say(`Another process has taken over or finished the rebuild of ${name}; see status.`);
  else say('Interrupted; the same command continues the rebuild.');
  return end === 'switched';
}
