import { count, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { nonEmpty, positiveNumber } from '../ledger/arguments.js';
import { openPrices } from './price-sources.js';

interface SetOptions {
  readonly credits: number;
  readonly cents: number;
  readonly offSale: boolean;
}

/** `set`: the price of a bundle. */
export const addSet: AddVerb = (program, run) => {
  program
    .command('set')
    .argument('<bundle>', 'the id of a bundle in credit_bundle', nonEmpty)
    .description('sets the price of a bundle as an event of the ledger; open offers keep theirs')
    .requiredOption('--credits <number>', 'credits in the bundle', positiveNumber)
    .requiredOption('--cents <number>', 'price of the bundle in US cents', positiveNumber)
    .option('--off-sale', 'do not sell the bundle any longer', false)
    .action((bundle: string, options: SetOptions) => run((context) => setPrice(bundle, options, context)));
};

async function setPrice(
  bundleId: string,
  { credits, cents: priceCents, offSale }: SetOptions,
  context: VerbContext,
): Promise<boolean> {
  const prices = await openPrices(context);
  await prices.set('operator', { bundleId, credits, priceCents, onSale: !offSale });
  const price = `${count(credits)} credits for ${count(priceCents)} cents`;
  say(offSale ? `${bundleId} is not sold any longer.` : `${bundleId} costs ${price} from now on.`);
  return true;
}
