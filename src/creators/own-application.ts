import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { DomainError } from '../platform/domain-error.js';
import { type CreatorTables } from './tables.js';

/** The refusal of an act on the admin's own application. */
export const OWN_APPLICATION = 'This is your own application. Another admin must decide it.';

/** Condition of a change: the admin is not the applicant. */
export function notOwn(row: ExpressionBuilder<CreatorTables, 'creator'>, adminId: string): Expression<SqlBool> {
  return row('clerk_id', 'is distinct from', adminId);
}

/** @throws DomainError forbidden when the admin is the applicant */
export function refuseOwnApplication(creator: { readonly clerk_id: string | null }, adminId: string): void {
  if (creator.clerk_id !== adminId) return;
  throw new DomainError('forbidden', OWN_APPLICATION);
}
