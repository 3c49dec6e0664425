import { accountProjection } from './credits/index.js';
import { type Projection } from './platform/projections/projection.js';
import { revenueProjection } from './revenue/index.js';

/** Every projection of the product, for the command line; the app has them from its modules. */
export const projections: readonly Projection<unknown>[] = [
  accountProjection as unknown as Projection<unknown>,
  revenueProjection as unknown as Projection<unknown>,
];
