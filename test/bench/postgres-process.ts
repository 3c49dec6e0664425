import { totalmem } from 'node:os';
import { servePostgres } from '../support/serve-postgres.js';

/** A quarter of the machine's memory, as the manual of Postgres recommends for a server of its own. */
const CACHE_MB = Math.floor(totalmem() / 4 / 2 ** 20);

/** The Postgres of a run of the benchmarks, with the durability of the product. */
await servePostgres('fanvas-bench-', { shared_buffers: `${CACHE_MB}MB` }, ({ ownerUrl }) => ({ url: ownerUrl }));
