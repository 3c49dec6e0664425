import { type Migration } from 'kysely';

/** Injection token of the `Kysely` instance. Each context types it with its own tables: `@Inject(DATABASE) db: Kysely<CreditTables>`. */
export const DATABASE = Symbol('DATABASE');

/** Injection token of the `pg.Pool` beneath it, for what kysely is not made for (LISTEN, advisory locks, COPY). */
export const PG_POOL = Symbol('PG_POOL');

/** Migrations by name. Names sort: `<four digits>_<context>_<what>`; a context exports its own, `src/migrations.ts` joins them. */
export type Migrations = Readonly<Record<string, Migration>>;
