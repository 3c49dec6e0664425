import { type Config } from '../../platform/config/config.js';
import { rotateMasterKey } from '../../platform/keys/database-keys.js';
import { say } from '../output.js';
import { type AddVerb, UsageError } from '../program.js';
import { openKeyTable, requireMasterKey } from './key-sources.js';

/** `rotate`: replaces the master key. */
export const addRotateMaster: AddVerb = (program, run) => {
  program
    .command('rotate')
    .description('encrypts all keys in the database under FANVAS_NEXT_MASTER_KEY, in place of FANVAS_MASTER_KEY')
    .action(() => run(({ config }) => rotate(config)));
};

async function rotate(config: Config): Promise<boolean> {
  const masterKey = requireMasterKey(config);
  const next = config.nextMasterKey;
  if (!next) throw new UsageError('Set FANVAS_NEXT_MASTER_KEY to the new master key: openssl rand -base64 32.');
  if (next.equals(masterKey)) throw new UsageError('FANVAS_NEXT_MASTER_KEY is the same as FANVAS_MASTER_KEY.');
  const count = await rotateMasterKey(await openKeyTable(config, 'app'), masterKey, next);
  if (count === null) say('The keys are encrypted under FANVAS_NEXT_MASTER_KEY already.');
  else say(`${count === 1 ? '1 key is' : `${count} keys are`} encrypted under FANVAS_NEXT_MASTER_KEY now.`);
  say('Set FANVAS_MASTER_KEY to it for every process. A process that runs goes on; its next start needs the new one.');
  return true;
}
