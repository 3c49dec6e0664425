import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

/** Indexes for the counts of the dashboard and the orders of users. Each holds only the rows that are counted, or is read in its order. */
export const adminMigrations: Migrations = {
  '0095_admin_counts': [
    sql`
        create index creator_featured on creator (id)
        where creator_status = 'active' and is_visible and withdrawn_at is null and is_featured`,
    sql`
        create index creator_archived on creator (id)
        where creator_status = 'active' and not is_visible and withdrawn_at is null`,
    sql`create index creator_model_deletion_waiting on creator_model_deletion (due_at)
        where done_at is null and cancelled_at is null`,
    sql`create index payment_problem_waiting on payment_problem (first_seen_at) where resolved_at is null`,
    sql`
        create index payment_event_failing on payment_event (received_at)
        where handled_at is null and attempts >= 3`,
    sql`
        create index admin_refund_failing on admin_refund (created_at)
        where status in ('reserving', 'reserved', 'releasing') and attempts >= 3`,
  ],
  '0096_admin_orders_of_users': [
    sql`create index credit_balance_by_paid on credit_balance (paid desc, user_id desc)`,
    sql`create index credit_balance_by_spent on credit_balance (lifetime_spent desc, user_id desc)`,
    sql`
        create index credit_balance_with_paid_by_spent on credit_balance (lifetime_spent desc, user_id desc)
        where paid > 0`,
  ],
};
