import { accountProjection } from '../../src/credits/reads/account-projection.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { bench } from './bench.js';
import { compareProjecting } from './projecting.js';

/** A million events. */
const ACCOUNTS = 80_000;

await bench((tools) =>
  compareProjecting(tools, {
    projection: accountProjection as unknown as Projection<unknown>,
    accounts: ACCOUNTS,
    check: async (pool, events) => {
      const { rows } = await pool.query<{ seen: number }>('select sum(version + 1)::int as seen from credit_balance');
      if (rows[0]?.seen !== events) throw new Error(`${rows[0]?.seen} events were projected, of ${events}.`);
    },
    atLeast: 0.3,
    names: { fromNothing: (size) => `projecting ${size}`, nextToLive: 'rebuilding next to the live tables' },
  }),
);
