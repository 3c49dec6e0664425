import { type Pool } from 'pg';
import { type Config } from '../../platform/config/config.js';
import { compareWithFresh } from '../../platform/projections/compare-with-fresh.js';
import { projectionsOf } from '../../composition/projections.js';
import { count, note, progress, say } from '../output.js';
import { type AddVerb, atEnd, UsageError } from '../program.js';
import { findProjection } from '../projections/projection-sources.js';
import { JSON_OPTION } from './arguments.js';
import { openLedger } from './ledger-sources.js';

/** `replay`: compares the live projections with freshly built ones. */
export const addReplay: AddVerb = (program, run) => {
  program
    .command('replay')
    .argument('[projection]', 'a projection; by default all')
    .description('rebuilds the projections in separate tables and lists each row that differs from the live tables')
    .addOption(JSON_OPTION)
    .action((name: string | undefined, { json }: { json: boolean }) => run(({ config }) => replay(name, json, config)));
};

async function replay(name: string | undefined, asJson: boolean, config: Config): Promise<boolean> {
  if (name !== undefined) findProjection(name);
  const sources = await openLedger(config, { noStatementTimeout: true });
  await requirePrimary(sources.pool);
  const abort = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  atEnd(async () => {
    // After an interruption the fresh tables must be dropped before the database closes.
    abort.abort();
    await running.catch(() => undefined);
  });
  const misplaced = await sources.eventStore.misplacedEvents({ limit: 1 });
  for (const { stream, version } of misplaced) {
    note(
      `${stream} @ ${version} has a position beyond the end of the store: it is not replayed. Run verify for details.`,
    );
  }
  const chosen = projectionsOf(sources.eventStore).filter((each) => name === undefined || each.name === name);
  let matches = misplaced.length === 0;
  for (const projection of chosen) {
    const format = ({ events, total }: { events: number; total: number }): string =>
      `${projection.name}: ${count(events)} of ${count(total)} events applied.`;
    const comparison = compareWithFresh(sources, projection, {
      signal: abort.signal,
      onProgress: progress(format),
      onDifference: (difference) =>
        say(
          asJson
            ? JSON.stringify({ projection: projection.name, difference })
            : `${projection.name}: ${difference.table}: only in the ${difference.only} table: ${difference.row}`,
        ),
    });
    running = comparison;
    const result = await comparison;
    const comparable = result.liveVersion === projection.version;
    matches &&= comparable && result.differences === 0;
    if (asJson) say(JSON.stringify({ projection: projection.name, version: projection.version, ...result }));
    else if (!comparable) {
      const live = result.liveVersion === null ? 'was never built' : `is of version ${result.liveVersion}`;
      say(
        `${projection.name} ${live}; this program builds version ${projection.version}. Start the app and wait until it has built this version.`,
      );
    } else {
      const differences = result.differences === 0 ? 'no difference' : `${count(result.differences)} differences`;
      const unapplied = result.unapplied === 0 ? '' : ` (${count(result.unapplied)} not applied yet)`;
      say(
        `${projection.name}: ${count(result.events)} events${unapplied}, ${count(result.rows)} rows, ${differences}.`,
      );
    }
  }
  return matches;
}

/** @throws UsageError for a replica, which allows no temporary tables */
async function requirePrimary(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ replica: boolean }>('select pg_is_in_recovery() as replica');
  if (rows[0]?.replica !== true) return;
  throw new UsageError(
    'The address of the audit is that of a replica, and `replay` makes temporary tables: run it with the primary server.',
  );
}
