import { type Migration, type RawBuilder } from 'kysely';

/**
 * Injection token of the `Kysely` instance. Each context types it with its own tables: `@Inject(DATABASE) db:
 * Kysely<OwnTables>`.
 */
export const DATABASE = Symbol('DATABASE');

/** Injection token of a `Kysely` instance on the connections of background work, whose limits are longer. */
export const JOB_DATABASE = Symbol('JOB_DATABASE');

/** Injection token of the `pg.Pool` of `JOB_DATABASE`. */
export const JOB_POOL = Symbol('JOB_POOL');

/** Injection token of the `pg.Pool` that Kysely uses, for features that Kysely lacks (LISTEN, advisory locks, COPY). */
export const PG_POOL = Symbol('PG_POOL');

/**
 * Migrations by name, `<four digits>_<context>_<subject>`; they run in the order of the names. The composition joins
 * them (`src/composition/migrations.ts`). Most are a list of statements; those that need a loop are functions.
 */
export type Migrations = Readonly<Record<string, readonly RawBuilder<unknown>[] | Migration>>;
