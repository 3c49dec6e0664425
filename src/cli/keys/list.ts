import { type Config } from '../../platform/config/config.js';
import { listDatabaseKeys } from '../../platform/keys/database-keys.js';
import { JSON_OPTION } from '../ledger/arguments.js';
import { say } from '../output.js';
import { type AddVerb } from '../program.js';
import { openKeyTable, requireMasterKey } from './key-sources.js';

/** `list`: the keys in the database, without their values. */
export const addListKeys: AddVerb = (program, run) => {
  program
    .command('list')
    .description('the names of the keys in the database, and whether FANVAS_MASTER_KEY decrypts them')
    .addOption(JSON_OPTION)
    .action(({ json }: { json: boolean }) => run(({ config }) => listKeys(json, config)));
};

async function listKeys(asJson: boolean, config: Config): Promise<boolean> {
  const masterKey = requireMasterKey(config);
  const keys = await listDatabaseKeys(await openKeyTable(config, 'audit'), masterKey);
  for (const { name, createdAt, opens } of keys) {
    if (asJson) say(JSON.stringify({ name, createdAt, opens }));
    else say(`${name} since ${createdAt.toISOString()}: ${opens ? 'can be decrypted' : 'cannot be decrypted'}`);
  }
  if (keys.length === 0 && !asJson) say('The database has no keys.');
  return keys.every(({ opens }) => opens);
}
