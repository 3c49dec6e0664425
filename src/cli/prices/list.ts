import { JSON_OPTION } from '../ledger/arguments.js';
import { count, say } from '../output.js';
import { type AddVerb } from '../program.js';
import { openPrices } from './price-sources.js';

/** `list`: the prices of all bundles. */
export const addList: AddVerb = (program, run) => {
  program
    .command('list')
    .description('the prices of all bundles')
    .addOption(JSON_OPTION)
    .action(({ json }: { json: boolean }) =>
      run(async (context) => {
        const prices = await openPrices(context);
        for (const {
          id,
          credits,
          price_cents: cents,
          on_sale: isOnSale,
          policy_version: version,
        } of await prices.rows()) {
          if (json) say(JSON.stringify({ id, credits, priceCents: cents, onSale: isOnSale, version }));
          else {
            const sale = version === null ? ', never priced' : isOnSale ? '' : ', not on sale';
            say(`${id}: ${count(credits)} credits for ${count(cents)} cents${sale}`);
          }
        }
        return true;
      }),
    );
};
