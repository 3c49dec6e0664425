import { servePostgres } from '../support/serve-postgres.js';

/** The Postgres of a run of the benchmarks, with the durability of the product. */
await servePostgres('fanvas-bench-', {}, ({ ownerUrl }) => ({ url: ownerUrl }));
