import { type Pool } from 'pg';
import { type CreditBundleTable } from '../../payments/tables.js';
import { PROJECTED_WITHIN_MS } from './projection-check.js';
import { type AuditedPrice, type PolicyAudit } from './policy-audit.js';
import { type BeginStreamCheck } from './stream-check.js';

/** The price of a bundle that a row shows. */
type BundleRow = Pick<CreditBundleTable, 'id' | 'credits' | 'price_cents' | 'on_sale'> & {
  readonly policy_version: number;
};

/** Compares the prices that rows show with those of the policy. */
export const checkBundles: BeginStreamCheck<PolicyAudit> = async ({ pool, now }, audit, report) => {
  const bundles = await bundleRows(pool);
  return {
    end() {
      const isComparable = audit.events > 0 && audit.readable;
      const differences = isComparable ? bundleDifferences(bundles, audit, now().getTime()) : [];
      for (const sentence of differences) {
        report({ stream: audit.stream, version: null, kind: 'projection', what: sentence });
      }
      return Promise.resolve(0);
    },
  };
};

/** The bundles that were ever priced. Read them before the policy: it can then only be newer. */
async function bundleRows(pool: Pool): Promise<BundleRow[]> {
  const { rows } = await pool.query<BundleRow>(
    `select id, credits, price_cents, on_sale, policy_version from credit_bundle
     where policy_version is not null order by id`,
  );
  return rows;
}

/**
 * Differences between rows and the prices of the policy, as sentences.
 * @param now epoch milliseconds; a price is copied to its row within ten minutes
 */
function bundleDifferences(rows: readonly BundleRow[], { prices }: PolicyAudit, now: number): string[] {
  return rows.flatMap((row) => {
    const own = prices.get(row.id) ?? [];
    const shown = own.find(({ version }) => version === row.policy_version);
    if (!shown) return [`credit_bundle shows event ${row.policy_version} for ${row.id}, which does not price it.`];
    const offer = inWords({ credits: row.credits, priceCents: row.price_cents, onSale: row.on_sale });
    const expected = inWords(shown.value);
    if (offer !== expected) {
      return [`credit_bundle says of ${row.id}: ${offer}; event ${shown.version} says: ${expected}.`];
    }
    const overdue = own.find(({ version, from }) => version > shown.version && from < now - PROJECTED_WITHIN_MS);
    return overdue ? [`credit_bundle does not show event ${overdue.version}, a later price of ${row.id}.`] : [];
  });
}

function inWords({ credits, priceCents, onSale }: AuditedPrice): string {
  return `${credits} credits for ${priceCents} cents, ${onSale ? 'on sale' : 'not on sale'}`;
}
