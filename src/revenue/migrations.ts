import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/** Tables of the revenue context. All of them belong to one projection and can be rebuilt from the events. */
export const revenueMigrations: Migrations = {
  '0070_revenue_projection': [
    sql`
        create table creator_earning (
          user_id text not null,
          version integer not null,
          line integer not null,
          kind text not null check (kind in ('earning', 'correction', 'restoration')),
          creator_id text not null,
          deduction_id text not null,
          lot_id text not null,
          reversal_id text,
          credits bigint not null,
          unit_price_cents bigint not null,
          creator_cents bigint not null,
          platform_cents bigint not null,
          occurred_at timestamptz not null,
          month text not null,
          payable_at timestamptz not null,
          primary key (user_id, version, line),
          check (creator_cents + platform_cents = credits * unit_price_cents)
        )`,
    sql`create index creator_earning_by_creator on creator_earning (creator_id, payable_at)`,
    sql`create index creator_earning_by_lot on creator_earning (user_id, lot_id)`,
    sql`
        create table creator_revenue_month (
          creator_id text not null,
          month text not null,
          paid_generations bigint not null,
          paid_credits bigint not null,
          creator_cents bigint not null,
          platform_cents bigint not null,
          primary key (creator_id, month)
        )`,
    sql`
        create table revenue_debt (
          user_id text not null,
          lot_id text not null,
          debt bigint not null check (debt >= 0),
          reversal_id text,
          primary key (user_id, lot_id)
        )`,
  ],
  '0071_revenue_purchases': [
    sql`
        alter table creator_earning
          add column own_generation boolean not null default false,
          drop constraint creator_earning_check`,
    sql`
        create table revenue_purchase (
          user_id text not null,
          lot_id text not null,
          credits bigint,
          amount_cents bigint,
          settled_credits bigint not null,
          earning_credits bigint not null,
          debt bigint not null check (debt >= 0),
          reversal_id text,
          primary key (user_id, lot_id)
        )`,
    // The next version of the projection, which fills the new table from all events, does not use it.
    sql`drop table revenue_debt`,
  ],
  '0072_revenue_activity': [
    sql`
        alter table creator_revenue_month
          add column correction_cents bigint not null default 0,
          add column restoration_cents bigint not null default 0,
          add column changes bigint not null default 0`,
    sql`create index creator_earning_by_time on creator_earning (creator_id, occurred_at)`,
    sql`create index creator_earning_changes on creator_earning (creator_id, occurred_at)
        where kind <> 'earning' and not own_generation`,
    sql`
        create table creator_payable (
          creator_id text not null,
          unit text not null check (unit in ('hour', 'day')),
          starts_at timestamptz not null,
          cents bigint not null,
          peak bigint not null,
          primary key (creator_id, unit, starts_at)
        )`,
    // The next version of the projection builds these figures from the events. Until then the old rows are served.
    sql`
        update creator_revenue_month m set correction_cents = s.corrections, restoration_cents = s.restorations,
          changes = s.changes
        from (
          select creator_id, month, coalesce(sum(creator_cents) filter (where kind = 'correction'), 0) as corrections,
            coalesce(sum(creator_cents) filter (where kind = 'restoration'), 0) as restorations,
            count(*) filter (where not own_generation) as changes
          from creator_earning where kind <> 'earning' group by creator_id, month
        ) s where s.creator_id = m.creator_id and s.month = m.month`,
    sql`
        insert into creator_payable
        select creator_id, unit, starts_at, sum(cents), max(running)
        from (
          select creator_id, unit, starts_at, cents,
            sum(cents) over (partition by creator_id, unit, starts_at order by payable_at) as running
          from (select creator_id, payable_at, sum(creator_cents) as cents from creator_earning group by 1, 2) instants
          cross join lateral (values ('hour', date_trunc('hour', payable_at, 'UTC')),
            ('day', date_trunc('day', payable_at, 'UTC'))) as block (unit, starts_at)
        ) summed group by creator_id, unit, starts_at`,
    sql`
        create table creator_activity_image (
          user_id text not null,
          version integer not null,
          creator_id text not null,
          deduction_id text not null,
          paid boolean not null,
          free_credits bigint not null,
          occurred_at timestamptz not null,
          primary key (user_id, version)
        )`,
    sql`create index creator_activity_image_by_time on creator_activity_image (creator_id, occurred_at)`,
    sql`create index creator_activity_image_by_fan on creator_activity_image (creator_id, user_id)`,
    sql`
        create table creator_activity_month (
          creator_id text not null,
          month text not null,
          paid_generations bigint not null,
          free_generations bigint not null,
          new_fans bigint not null,
          primary key (creator_id, month)
        )`,
    sql`
        create table creator_activity_payment (
          user_id text not null,
          kind text not null check (kind in ('purchase', 'refund', 'dispute')),
          payment_id text not null,
          occurred_at timestamptz not null,
          undone_at timestamptz,
          primary key (user_id, kind, payment_id)
        )`,
  ],
  '0073_revenue_repayments': [
    // The next version of the projection fills it from all events.
    sql`alter table revenue_purchase add column repayments jsonb not null default '[]'`,
    sql`create index revenue_purchase_in_debt on revenue_purchase (user_id) where debt > 0`,
  ],
  '0074_revenue_payable_months': [
    sql`
        alter table creator_payable drop constraint creator_payable_unit_check,
          add constraint creator_payable_unit check (unit in ('hour', 'day', 'month'))`,
    sql`
        insert into creator_payable
        select creator_id, 'month', starts_at, sum(cents), max(highest)
        from (
          select creator_id, date_trunc('month', starts_at, 'UTC') as starts_at, cents,
            sum(cents) over (partition by creator_id, date_trunc('month', starts_at, 'UTC') order by starts_at)
              - cents + peak as highest
          from creator_payable where unit = 'day'
        ) as days group by creator_id, starts_at`,
  ],
  '0075_revenue_totals': [
    // Sums for the lists of admins, so that no list reads the months of all creators. A projection cannot share a
    // table with another one, so each of the two has its own.
    sql`
        create table creator_revenue_total (
          creator_id text primary key,
          creator_cents bigint not null,
          correction_cents bigint not null,
          restoration_cents bigint not null
        )`,
    sql`create index creator_revenue_total_order on creator_revenue_total (creator_cents desc, creator_id)`,
    sql`create index creator_revenue_month_order on creator_revenue_month (month, creator_cents desc, creator_id)`,
    sql`
        create table platform_revenue_month (
          month text primary key,
          paid_generations bigint not null,
          creator_cents bigint not null,
          platform_cents bigint not null,
          correction_cents bigint not null,
          restoration_cents bigint not null
        )`,
    sql`
        create table platform_payable (
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, starts_at)
        )`,
    // What became payable in this hour is read from the rows.
    sql`create index creator_earning_payable on creator_earning (payable_at) include (creator_cents)`,
    sql`
        create table creator_activity_total (
          creator_id text primary key,
          paid_generations bigint not null,
          free_generations bigint not null
        )`,
    sql`
        create index creator_activity_total_paid on creator_activity_total (paid_generations desc, creator_id)`,
    sql`
        create index creator_activity_total_all on creator_activity_total
          ((paid_generations + free_generations) desc, creator_id)`,
    sql`
        create table platform_activity_month (
          month text primary key,
          paid_generations bigint not null,
          free_generations bigint not null
        )`,

    sql`
        insert into creator_revenue_total
        select creator_id, sum(creator_cents), sum(correction_cents), sum(restoration_cents)
        from creator_revenue_month group by creator_id`,
    sql`
        insert into platform_revenue_month
        select month, sum(paid_generations), sum(creator_cents), sum(platform_cents), sum(correction_cents),
          sum(restoration_cents)
        from creator_revenue_month group by month`,
    sql`
        insert into platform_payable
        select unit, starts_at, sum(cents) from creator_payable group by unit, starts_at`,
    sql`
        insert into creator_activity_total
        select creator_id, sum(paid_generations), sum(free_generations)
        from creator_activity_month group by creator_id`,
    sql`
        insert into platform_activity_month
        select month, sum(paid_generations), sum(free_generations) from creator_activity_month group by month`,
  ],
  '0076_revenue_of_image': [
    // Fans read what one of their images earned.
    sql`create index creator_earning_of_image on creator_earning (deduction_id)`,
    sql`create index creator_activity_image_of_image on creator_activity_image (deduction_id)`,
  ],
  '0153_revenue_without_payable_sums': [
    // What is payable is read from the books, which know the payouts as well.
    sql`drop table creator_payable, platform_payable`,
  ],
};
