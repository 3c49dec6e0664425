import { LAG_COUNTED_TO, type ProjectionStatus, statusOf } from '../../platform/projections/projection-status.js';
import { projections } from '../../composition/projections.js';
import { count, say } from '../output.js';
import { type AddVerb } from '../program.js';
import { JSON_OPTION } from '../ledger/arguments.js';
import { formatProgress, openProjections, type ProjectionSources } from './projection-sources.js';

/** `status`: position and lag of each projection. */
export const addStatus: AddVerb = (program, run) => {
  program
    .command('status')
    .description('position and lag of each projection, and unfinished rebuilds')
    .addOption(JSON_OPTION)
    .action(({ json }: { json: boolean }) =>
      run(async ({ config }) => status(await openProjections(config, 'audit'), json)),
    );
};

async function status({ db, eventStore }: ProjectionSources, json: boolean): Promise<boolean> {
  let isHealthy = true;
  for (const projection of projections) {
    const [current] = await statusOf(db, eventStore, [projection]);
    if (!current) continue;
    isHealthy &&= current.state === 'current' || current.state === 'behind';
    say(json ? JSON.stringify(current) : formatStatus(current));
  }
  return isHealthy;
}

function formatStatus({
  name,
  state,
  liveVersion,
  version,
  position,
  lagEvents,
  lagSeconds,
  rebuild,
}: ProjectionStatus): string {
  const versions =
    liveVersion === version ? `version ${version}` : `version ${liveVersion ?? 'none'}, to become ${version}`;
  const events = lagEvents < LAG_COUNTED_TO ? count(lagEvents) : `${count(LAG_COUNTED_TO)} or more`;
  const lag = lagEvents === 0 ? '' : `, ${events} events and ${Math.ceil(lagSeconds)} s behind`;
  const unfinished = rebuild ? `\n  version ${rebuild.version} is being built: ${formatProgress(rebuild)}` : '';
  return `${name}: ${state} (${versions}), at ${position ?? 'the beginning'}${lag}${unfinished}`;
}
