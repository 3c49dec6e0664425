import { listAccounts, type ListedAccount } from '../../audit/index.js';
import { count, note, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { formatTotals, JSON_OPTION, nonEmpty, positiveNumber } from './arguments.js';
import { openLedger } from './ledger-sources.js';

/** Accounts read at once. */
const ACCOUNTS_PER_READ = 200;

interface AccountsOptions {
  readonly json: boolean;
  readonly after?: string;
  readonly limit?: number;
}

/** `accounts`: lists the accounts. */
export const addAccounts: AddVerb = (program, run) => {
  program
    .command('accounts')
    .description('lists the accounts by user id: version, hash and time of the last event, and the projected balance')
    .option('--after <user>', 'begin after this user id', nonEmpty)
    .option('--limit <number>', 'list at most this many; by default all', positiveNumber)
    .addOption(JSON_OPTION)
    .action((options: AccountsOptions) => run((context) => accounts(options, context)));
};

async function accounts({ json, after, limit }: AccountsOptions, { config, clock }: VerbContext): Promise<boolean> {
  const sources = await openLedger(config);
  let last = after ?? null;
  let listed = 0;
  for (let full = true; full;) {
    const wanted = Math.min(ACCOUNTS_PER_READ, (limit ?? Infinity) - listed);
    if (wanted === 0) break;
    const page = await listAccounts(sources, { after: last, limit: wanted, now: clock.now() });
    for (const account of page) say(json ? JSON.stringify({ account }) : formatAccount(account));
    listed += page.length;
    last = page.at(-1)?.userId ?? last;
    full = page.length === wanted;
  }
  note(`${count(listed)} accounts.`);
  return true;
}

function formatAccount({ userId, version, head, lastEventAt, balance, owed }: ListedAccount): string {
  const last = version === null ? 'no events' : `event ${version} of ${lastEventAt}, hash ${head}`;
  return `${userId}: ${formatTotals(balance)}${owed === 0 ? '' : `, ${owed} owed`}; ${last}`;
}
