import type pg from 'pg';

/** Tables that stay small in a large installation, with the reason. A full scan of them is cheap. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  credit_bundle: 'a row a bundle',
  projection_checkpoint: 'a row a projection',
  projection_rebuild: 'a row a projection',
  payment_reconciliation: 'a row a reconciliation',
  ledger_seal: 'a row a day',
  ledger_verification: 'one row',
  ledger_problem: 'a row a problem',
  verification_run: 'at most 1,000 rows',
  lease: 'a row a held lock',
  pg_database: 'a row a database',
  bonus_claim_key: 'one row',
  installation_key: 'a row a key',
  generation_suspension: 'a row a user who was suspended',
  generation_provider_refusal: 'a row a status of the provider',
  payment_suspended_buyer: 'a row a user who was suspended',
  admin_act_head: 'one row',
  platform_revenue_month: 'a row a month',
  platform_activity_month: 'a row a month',
  book_deferred_month: 'a row a month and month of purchase',
  payout_run: 'a row a run',
  book_closed_month: 'a row a month',
  month_close: 'a row an attempt to close a month',
  log_reach: 'one row',
  earning_position: 'one row',
  earning_head: 'a row a creator with earnings, read by 1,000 names at once',
  bank_report: 'a row a file of the bank',
  reconciliation_run: 'one row',
};

/** Users of the filled installation. */
const ROWS = 4_000;

/**
 * The planner then sees tables as large as those of 20,000 users, where it prefers an index: a scan costs five times as
 * much. Filling so many rows takes minutes.
 */
export const LARGE_TABLES = ['seq_page_cost = 5', 'cpu_tuple_cost = 0.05', 'cpu_operator_cost = 0.0125'];

/** Statements that fill a large installation, in order. A number identifies each user, creator and generation. */
const FILL: readonly string[] = [
  // No triggers: they announce each row, and look for the rows of its foreign keys. A missing one is not noticed.
  `set local session_replication_role = replica`,
  `create temporary table numbers as select n from generate_series(1, ${ROWS}) as n`,
  `insert into app_user (id, email, email_verified, address_hmac, name, created_at, updated_at)
   select 'user_filled' || n, n || '@filled.test', true, sha256(n::text::bytea), 'Filled ' || n, now(), now() from numbers`,
  `insert into bonus_claim (address_hmac, user_id, claimed_at) select address_hmac, id, now() from app_user
   where address_hmac is not null on conflict do nothing`,
  // The first event of each has a row in `creator_earning`, which is recorded in the stream of the creator.
  `insert into event (stream, version, event_id, type, data, metadata)
   select 'creditAccount-user_filled' || n, v, gen_random_uuid(), case v when 0 then 'DeductionSettled' else 'CreditsGranted' end,
     jsonb_build_object('amount', 1, 'lotId', 'lot' || n, 'deductionId', n || '-' || v),
     jsonb_build_object('occurredAt', '2026-01-01T00:00:00.000Z', 'actorId', 'user_filled' || n, 'correlationId', n || '-' || v)
   from numbers, generate_series(0, 9) as v`,
  `insert into log_leaf (index, event_id, stream, version, hash)
   select (select coalesce(max(index), -1) from log_leaf) + n, gen_random_uuid(), 'creditAccount-logged' || n, 0,
     sha256(n::text::bytea) from numbers`,
  `insert into log_node (level, index, hash, groups)
   select 1, n - 1, sha256(n::text::bytea), decode(repeat('00', 512), 'hex') from numbers on conflict do nothing`,
  `insert into log_checkpoint (size, root, note, signed_at) select n, sha256(''), 'note', now() from numbers`,
  `update projection_checkpoint
   set position = (select xid::text || '/' || position from event order by xid desc, position desc limit 1)`,
  `insert into credit_balance (user_id, version, opened, daily, bonus, paid, lifetime_earned, lifetime_spent)
   select 'user_filled' || n, 9, true, 0, 10, 0, 10, 0 from numbers`,
  `insert into credit_transaction (user_id, version, id, created_at, description, transaction_type, amount, balance_after)
   select 'user_filled' || n, v, gen_random_uuid(), now(), 'A gift', 'bonus_grant', 1, v + 1
   from numbers, generate_series(0, 9) as v`,
  `insert into credit_account_snapshot (user_id, fold_version, version, hash, state)
   select 'user_filled' || n, 1, 9, 'hash', '{}' from numbers`,
  `insert into credit_proposal (id, user_id, kind, amount, reason, proposed_by, proposed_at, state, decided_by, decided_at, applied_at)
   select gen_random_uuid(), 'user_filled' || n, 'grant', 10, 'A test', 'admin_filled' || n, now() - n * interval '1 minute',
     case when n % 2 = 0 then 'open' else 'approved' end, case when n % 2 = 1 then 'admin_filled' end,
     case when n % 2 = 1 then now() end, case when n % 2 = 1 then now() end from numbers`,
  `insert into admin_act (id, number, body, hash)
   select md5('act' || n)::uuid, head.number + n, jsonb_build_object('id', md5('act' || n)::uuid, 'number', head.number + n,
     'atMs', (extract(epoch from now()) * 1000)::bigint + n, 'kind', 'creator.featured', 'state', 'done', 'actorId', 'admin_filled' || n % 20,
     'actorRole', 'admin', 'requestId', null, 'subjectKind', 'creator', 'subjectId', md5('creator' || n)::uuid,
     'userId', 'user_filled' || n, 'creatorId', md5('creator' || n)::uuid, 'closes', null, 'undoes', null,
     'before', '{}'::jsonb, 'after', '{}'::jsonb, 'events', '[]'::jsonb)::text, 'hash' || n
   from numbers, admin_act_head head`,
  `insert into admin_act_personal (act_id, at_ms, reason, reason_salt, address, address_salt)
   select md5('act' || n)::uuid, (extract(epoch from now()) * 1000)::bigint + n, 'Filled ' || n, 'salt', '192.0.2.7', 'salt' from numbers`,
  `update admin_act_head set number = number + ${ROWS}`,
  `insert into verified_account (user_id, version, state, checked_at)
   select 'user_filled' || n, 9, '{}', now() from numbers on conflict do nothing`,
  `insert into admin_grant_day (admin_id, day, credits) select 'admin_filled' || n, '2026-01-01', 10 from numbers`,
  `insert into admin_grant (admin_id, day, user_id, grant_id, amount)
   select 'admin_filled' || n, '2026-01-01', 'user_filled' || n, 'grant' || n, 10 from numbers`,
  // These indexes are faster to build than to fill row by row. Only those of three tables: a table without its index is
  // locked until the commit, and with all tables locked the app made no seal in time for the requests that read it.
  `create temporary table dropped_index as
   select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as indexdef from pg_index
   where indrelid in ('creator'::regclass, 'generation'::regclass, 'moderation_case'::regclass) and not indisunique`,
  `do $$ declare dropped regclass; begin
     for dropped in select name from dropped_index loop execute 'drop index ' || dropped; end loop;
   end $$`,
  `insert into creator (id, clerk_id, username, name, email, instagram, creator_status, deployment_name, lora_id, created_at, updated_at)
   select md5('creator' || n)::uuid, 'user_filled' || n, 'filled' || n, 'Filled ' || n, n || '@filled.test', '@filled' || n,
     case when n % 4 = 0 then 'pending' else 'active' end, 'filled/' || n, 'lora' || n, now(), now() from numbers`,
  `insert into creator_consent (id, clerk_id, kind, at, context, terms_version)
   select gen_random_uuid(), 'user_filled' || n, 'accepted', now(), 'application', 'v1.0' from numbers where n <= 2000`,
  `insert into creator_application (id, creator_id, name, email, instagram, applied_at)
   select gen_random_uuid(), id, name, email, instagram, now() from creator where username like 'filled%'`,
  `insert into creator_question (id, creator_id, application_id, question, asked_by, asked_at)
   select gen_random_uuid(), creator_id, id, 'Why?', 'user_admin', now() from creator_application`,
  `insert into creator_decision (id, creator_id, kind, actor_id, decided_at)
   select gen_random_uuid(), id, 'approved', 'user_admin', now() from creator where creator_status = 'active'`,
  `insert into creator_applicant (clerk_id, closed_at) select 'user_left' || n, now() from numbers`,
  // One creator has 2,000 of the 20,000.
  `insert into generation (id, user_id, creator_id, prompt, status, model, cost, prediction_id, image, error_message, refund_reason,
     refunded, credits_closed_at, not_before, completed_at, created_at, updated_at)
   select gen_random_uuid(), 'user_filled' || n, md5('creator' || case when n <= 400 then 1 else n % 2000 + 1 end)::uuid::text,
     'A picture', case when failed then 'failed' else 'completed' end, 'filled/1', 10, 'filled-' || n || '-' || m,
     case when not failed then '{"url": "/media/filled/1.webp", "sources": []}'::jsonb end,
     case when failed then 'failed' end, case when failed then 'generation_failed' end, failed, now(), now(),
     case when not failed then now() end, now() - n * interval '1 minute', now()
   from numbers, generate_series(1, 5) as m, lateral (select m = 5 as failed) as f`,
  `insert into generation_webhook (delivery_id, received_at)
   select 'filled' || n, now() - n * interval '1 second' from numbers`,
  `insert into generation_media_removal (name, remove_at)
   select 'filled' || n || '/640.webp', now() + interval '1 year' from numbers`,
  `insert into moderation_refusal (id, user_id, creator_id, category, prompt, created_at)
   select gen_random_uuid(), 'user_filled' || n, 'creator', 'sexual', 'x', now() from numbers`,
  `insert into generation_report (id, generation_id, creator_id, user_id, reason, note, prompt, created_at, resolved_at, resolved_by, resolution)
   select gen_random_uuid(), id, creator_id, 'user_reporter', 'other', '', 'x', now(), now(), 'user_admin', 'dismissed'
   from generation limit 10000`,
  `insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, decision, decided_at, decided_by)
   select 'report', id, id, creator_id, user_id, 'other', 1, created_at, case when decided then 'keep' end,
     case when decided then now() end, case when decided then 'user_admin' end
   from generation, lateral (select substr(id::text, 1, 1) < '8' as decided) as d `,
  `insert into moderation_case (kind, id, creator_id, maker_id, reason, rank, opened_at)
   select 'refusal', id, creator_id, user_id, category, 2, created_at from moderation_refusal`,
  `insert into moderation_decision (act_id, kind, case_id, generation_id, creator_id, maker_id, decision, decided_at, decided_by)
   select gen_random_uuid(), kind, id, generation_id, creator_id, maker_id, decision, decided_at, decided_by
   from moderation_case where decision is not null`,
  `insert into generation_blocked_prompt (creator_id, prompt_hash, blocked_at, act_id)
   select creator_id, md5(id::text), now(), gen_random_uuid() from moderation_case`,
  `insert into generation_strike (act_id, user_id, generation_id, created_at)
   select act_id, maker_id, generation_id, now() from moderation_decision limit 5000`,
  `insert into generation_suspension (user_id, since, until, reason)
   select 'user_filled' || n, now(), now(), 'x' from numbers where n <= 100`,
  `insert into payment_suspended_buyer (user_id, until) select user_id, until from generation_suspension`,
  `insert into generation_closed_owner (user_id, closed_at, erased_at)
   select 'user_left' || n || 'm' || m, now(), now() from numbers, generate_series(1, 5) as m`,
  `insert into payment_closed_buyer (user_id, closed_at) select 'user_left' || n, now() from numbers`,
  `insert into account_closure (id, user_id, requested_by, choice, requested_at, steps, not_before, finished_at, checked_at)
   select md5('closure' || n)::uuid, 'user_left' || n, 'person', 'refund', now(), '{}', now(), now(), now()
   from numbers`,
  `insert into account_closure_token (token_hash, closure_id, created_at)
   select md5('token' || n), md5('closure' || n)::uuid, now() from numbers`,
  `insert into generation_take_down (id, generation_id, creator_id, reason, requested_at, due_at, decision, decided_at, decided_by)
   select gen_random_uuid(), id, creator_id, 'x', now(), now(), 'kept', now(), 'user_admin'
   from generation where status = 'completed' limit 10000`,
  `insert into gallery_set_aside (creator_id, generation_id, hidden_at)
   select creator_id::uuid, id, now() from generation where status = 'completed' limit 10000`,
  `insert into creator_blocked_term (id, creator_id, term, term_key, added_at)
   select gen_random_uuid(), id, 'word ' || n, 'word ' || n, now() from creator, generate_series(1, 5) as n`,
  `insert into creator_blocked_stop (term_id, month, stopped) select id, '2026-01', 1 from creator_blocked_term`,
  `insert into creator_payout_record (creator_id, name, email, kept_until)
   select id, name, email, now() + interval '10 years' from creator`,
  `insert into creator_payout_details (creator_id, key_id, sealed, changed_at)
   select id, 'filled', '\\x00'::bytea, now() from creator`,
  `insert into creator_payout_change (id, creator_id, at, changed)
   select gen_random_uuid(), id, now(), '{account}' from creator`,
  `insert into creator_model_deletion (id, creator_id, model, requested_at, due_at, cancelled_at)
   select gen_random_uuid(), id, 'm', now(), now(), now() from creator, generate_series(1, 5)`,
  `insert into gallery (creator_id, updated_at, updated_by) select id, now(), 'user_admin' from creator`,
  `insert into gallery_item (creator_id, place, generation_id)
   select creator_id, place, id
   from (select creator_id::uuid, row_number() over (partition by creator_id order by id) as place, id
         from generation where status = 'completed') as picture
   where place <= 20`,
  `insert into checkout (id, user_id, bundle_id, bundle_name, credits, amount_cents, currency, status, return_origin, session_id,
     payment_intent_id, expires_at, created_at, updated_at, credited_at)
   select gen_random_uuid(), 'user_filled' || n, 'basic', 'Basic', 100, 1000, 'usd', 'credited', 'http://localhost:3000',
     'cs_filled_' || n, 'pi_filled_' || n, now(), now(), now(), now() from numbers`,
  `insert into payment_reversal (object_id, reversal_id, session_id, kind, amount_cents, state, stands, updated_at)
   select 're_filled_' || n, 're_filled_' || n, 'cs_filled_' || n, 'refund', 100, 'succeeded', true, now() from numbers`,
  `insert into admin_refund (id, session_id, user_id, credits, amount_cents, actor_id, reason, status, refund_id, not_before, created_at, updated_at)
   select gen_random_uuid(), 'cs_filled_' || n, 'user_filled' || n, 10, 100, 'user_admin', 'x', 'refunded', 're_filled_' || n,
     now(), now(), now() from numbers`,
  `insert into payment_event (id, type, occurred_at, object_id, payment_intent_id, received_at, handled_at, not_before)
   select 'evt_filled_' || n, 'charge.refunded', now(), 'ch_' || n, 'pi_filled_' || n, now(), now(), now() from numbers`,
  `insert into payment_problem (subject, kind, what, first_seen_at, last_seen_at, resolved_at)
   select 'cs_filled_' || n, 'wrong_content', 'x', now(), now(), now() from numbers`,
  `insert into creator_earning (user_id, version, line, kind, creator_id, deduction_id, lot_id, credits, unit_price_cents,
     creator_cents, platform_cents, occurred_at, month, payable_at)
   select 'user_filled' || n, v, 0, 'earning', md5('creator' || n % 2000)::uuid::text, 'd' || n || v, 'cs_filled_' || n, 10, 10, 50, 50,
     now(), '2026-01', now() from numbers, generate_series(0, 2) as v`,
  `insert into creator_revenue_month (creator_id, month, paid_generations, paid_credits, creator_cents, platform_cents)
   select md5('creator' || n % 2000)::uuid::text, '20' || n / 2000 + 10 || '-01', 10, 100, 500, 500 from numbers`,
  `insert into revenue_purchase (user_id, lot_id, settled_credits, earning_credits, debt)
   select 'user_filled' || n, 'cs_filled_' || n, 1, 1, 1 from numbers`,
  `insert into creator_activity_image (user_id, version, creator_id, deduction_id, paid, free_credits, occurred_at)
   select user_id, version, creator_id, deduction_id, true, 0, occurred_at from creator_earning`,
  `insert into creator_activity_month (creator_id, month, paid_generations, free_generations, new_fans)
   select creator_id, month, 10, 0, 1 from creator_revenue_month`,
  `insert into creator_revenue_total
   select creator_id, sum(creator_cents), 0, 0 from creator_revenue_month group by creator_id`,
  `insert into creator_activity_total
   select creator_id, sum(paid_generations), sum(free_generations) from creator_activity_month group by creator_id`,
  `insert into platform_revenue_month
   select month, sum(paid_generations), sum(creator_cents), sum(platform_cents), 0, 0 from creator_revenue_month group by month`,
  `insert into platform_activity_month
   select month, sum(paid_generations), sum(free_generations) from creator_activity_month group by month`,
  `insert into creator_activity_payment (user_id, kind, payment_id, occurred_at)
   select 'user_filled' || n, 'purchase', 'cs_filled_' || n, now() from numbers`,
  // The first of them is 41 days old, so that a month of the books can be closed on every day of the year.
  `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits, lot_id, creator_id, payable_at)
   select 'user_filled' || n, 0, line, (array[2000, 4000, 2100])[line + 1], 'DeductionSettled', now() - n * interval '15 minutes',
     case when line = 0 then 100 else -50 end, case when line = 0 then 10 when line = 1 then -10 else 0 end, 'cs_filled_' || n,
     case when line > 0 then md5('creator' || n % 2000)::uuid::text end,
     case when line > 0 then now() - n * interval '15 minutes' + interval '30 days' end
   from numbers cross join generate_series(0, 2) as line`,
  `insert into book_purchase (user_id, lot_id, unspent, reversals)
   select 'user_filled' || n, 'cs_filled_' || n, 1, '[]' from numbers`,
  `insert into book_sum (account, unit, starts_at, cents, credits)
   select account, unit, date_trunc(unit, now()) - n * ('1 ' || unit)::interval, 0, 0
   from numbers cross join (values ('hour'), ('day'), ('month')) as units (unit) cross join unnest(array[1010, 2000, 2100]) as account
   where n < case unit when 'month' then 120 else 2000 end
   on conflict (unit, account, starts_at) do nothing`,
  `insert into book_creator_sum (creator_id, account, unit, starts_at, cents)
   select md5('creator' || n % 2000)::uuid::text, account, unit, date_trunc(unit, now()) - n / 2000 * interval '1 month', -50
   from numbers cross join (values ('day'), ('month')) as units (unit) cross join unnest(array[2100, 2120]) as account
   where n < 10000`,
  `insert into payout (payout_id, creator_id, run_id, step, cutoff, payable_cents, paid_before_cents, amount_cents,
     minimum_cents, drafted_at)
   select 'payout' || n, md5('creator' || n % 2000)::uuid::text, '00000000-0000-4000-8000-' || lpad((n / 2000 + 1)::text, 12, '0'), 'checked', now(), 50, 0, 50, 1, now() from numbers`,
  `insert into payout_run (id, number, cutoff, minimum_cents, step, working, drafted_at, draft_act)
   select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n, now(), 1, 'check', false, now(), gen_random_uuid() from numbers where n <= 10`,
  `insert into payout_run_creator (run_id, creator_id, payable_cents, paid_cents, payout_id)
   select ('00000000-0000-4000-8000-' || lpad((n / 2000 + 1)::text, 12, '0'))::uuid, md5('creator' || n % 2000)::uuid::text, 50, 0, 'payout' || n from numbers
  `,
  `insert into payout_file (run_id, file, made_by, made_at, payouts, amount_cents, taken_back_by, taken_back_at)
   select ('00000000-0000-4000-8000-' || lpad((n % 10 + 1)::text, 12, '0'))::uuid, n, 'user_admin', now(), 1, 50,
     'user_admin', now() from numbers`,
  `insert into bank_report (id, act_id, recorded_by, recorded_at, done)
   select 'report' || n, gen_random_uuid(), 'user_admin', now(), true from numbers where n <= 10`,
  `insert into bank_report_line (report_id, line, payout_id, amount_cents, bank_reference, paid_on, outcome)
   select 'report' || n / 2000 + 1, n, gen_random_uuid(), 50, 'SEPA-1', '2026-01-01', 'recorded' from numbers`,
  `insert into payout_hold (creator_id, until, held_by, reason, held_at)
   select md5('creator' || n)::uuid::text, now(), 'user_admin', 'A test', now() from numbers where n <= 2000`,
  `insert into payout_entry (stream, version, line, account, event_type, occurred_at, cents, creator_id, payout_id)
   select 'creatorPayout-' || md5('creator' || n % 2000)::uuid, n, line, 2120 + 10 * line, 'PayoutFixed',
     now() - n * interval '1 hour', 50 - 100 * line, md5('creator' || n % 2000)::uuid::text, 'payout' || n
   from numbers cross join generate_series(0, 1) as line`,
  `insert into payout_sum (account, unit, starts_at, cents)
   select account, unit, date_trunc(unit, now()) - n * ('1 ' || unit)::interval, 0
   from numbers cross join (values ('hour'), ('day'), ('month')) as units (unit) cross join unnest(array[2120, 2130]) as account
   where n < case unit when 'month' then 120 else 2000 end
   on conflict (unit, account, starts_at) do nothing`,
  `insert into processor_transaction (transaction_id, version, kind, gross_cents, fee_cents, net_cents, source_id,
     payment_intent_id, created_at, available_on, session_id, matched_cents)
   select 'txn_' || n, n, 'charge', 1000, 59, 941, 'ch_' || n, 'pi_' || n, now() - n * interval '1 hour', now(), 'cs_filled' || n, 1000
   from numbers`,
  `insert into processor_entry (version, line, account, event_type, occurred_at, cents, transaction_id)
   select n, line, 1040 + 4260 * line, 'BalanceTransactionRecorded', now() - n * interval '1 hour', 118 * line - 59, 'txn_' || n
   from numbers cross join generate_series(0, 1) as line`,
  `insert into processor_sum (account, unit, starts_at, cents)
   select account, unit, date_trunc(unit, now()) - n * ('1 ' || unit)::interval, 0
   from numbers cross join (values ('hour'), ('day'), ('month')) as units (unit) cross join unnest(array[1040, 5300]) as account
   where n < case unit when 'month' then 120 else 2000 end
   on conflict (unit, account, starts_at) do nothing`,
  `insert into processor_kind_sum (kind, unit, starts_at, transactions, gross_cents, fee_cents, matched, matched_cents)
   select kind, unit, date_trunc(unit, now(), 'UTC') - n * ('1 ' || unit)::interval, 1, 1000, 59, 1, 1000
   from numbers cross join (values ('day'), ('month')) as units (unit) cross join unnest(array['charge', 'refund', 'payout']) as kind
   where n < case unit when 'month' then 120 else 3650 end
   on conflict (unit, starts_at, kind) do nothing`,
  `insert into processor_transaction (transaction_id, version, kind, gross_cents, fee_cents, net_cents, source_id,
     payment_intent_id, created_at, available_on, session_id, matched_cents)
   select 'txn_open' || n, ${ROWS} + n, 'charge', 1000, 59, 941, 'ch_open' || n, 'pi_open' || n, now() - n * interval '1 hour', now(),
     null, 0
   from numbers where n <= 100`,
  `insert into payment_owner (payment_intent_id, is_ours, asked_at) select 'pi_open' || n, true, now() from numbers`,
  `insert into payment_unreadable (object_id, since) select 'cs_filled' || n, now() from numbers`,
  `insert into reconciliation_gap (user_id, version, line, kind, session_id, cents, occurred_at, ended_at)
   select 'user_filled' || n, 1, 0, 'charge', 'cs_gap' || n, 1000, now() - n * interval '1 hour', case when n > 100 then now() - n * interval '1 hour' end
   from numbers`,
  `insert into reconciliation_session (transaction_id, session_id, looked_up_at) select 'txn_' || n, 'cs_' || n, now() from numbers`,
  `insert into rate_limit (key, hits, expires_at) select 'data_fetch|user:user_filled' || n, array[now()], now() from numbers`,
  `do $$ declare definition text; begin
     for definition in select indexdef from dropped_index loop execute definition; end loop;
   end $$`,
  `analyze`,
];

/** A statement can take this long on a busy machine: longer than any of the product (milliseconds). */
const STATEMENT_MS = 600_000;

/** Fills a migrated database with 4,000 users, 40,000 events, 20,000 generations and their rows. */
export async function fillDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  const run = (text: string): Promise<unknown> => {
    const config = { text, query_timeout: STATEMENT_MS };
    return client.query(config);
  };
  try {
    await run(`set statement_timeout = ${STATEMENT_MS}`);
    // Events and checkpoints in one transaction, so that projections do not apply the filler events.
    await run('begin');
    for (const statement of FILL.slice(0, -1)) await run(statement);
    await run('commit');
    await run(FILL.at(-1) ?? '');
  } finally {
    client.release(true);
  }
}
