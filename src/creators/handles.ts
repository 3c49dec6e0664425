import { type RawBuilder, sql } from 'kysely';

/** Condition of a read of `creator`: an approved creator with this Instagram handle. The case does not matter. */
export function approvedHandle(instagram: string): RawBuilder<boolean> {
  return sql<boolean>`(creator_status = 'active' and instagram <> '' and lower(instagram) = lower(${instagram}))`;
}
