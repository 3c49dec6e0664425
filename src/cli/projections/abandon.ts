import { ProjectionRebuild } from '../../platform/projections/projection-rebuild.js';
import { type Config } from '../../platform/config/config.js';
import { say } from '../output.js';
import { type AddVerb } from '../program.js';
import { findProjection, openProjections, PROJECTION_NAMES, projectionOf } from './projection-sources.js';

/** `abandon`: drops an unfinished rebuild. */
export const addAbandon: AddVerb = (program, run) => {
  program
    .command('abandon')
    .argument('<projection>', PROJECTION_NAMES)
    .description('drops the tables of an unfinished rebuild')
    .action((name: string) => run(({ config }) => abandon(name, config)));
};

async function abandon(name: string, config: Config): Promise<boolean> {
  findProjection(name);
  const sources = await openProjections(config, 'app');
  const dropped = await new ProjectionRebuild(sources.db, sources.eventStore, projectionOf(name, sources)).abandon();
  say(dropped ? `The unfinished rebuild of ${name} is dropped.` : `There is no unfinished rebuild of ${name}.`);
  return true;
}
