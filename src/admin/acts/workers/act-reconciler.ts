import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { type ActKind, type ActValues } from '../../../contract/acts.js';
import { DAY_MS } from '../../../contract/durations.js';
import { accountStream, balancesAround } from '../../../credits/index.js';
import { payoutStream, PROCESSOR_STREAM } from '../../../finance/index.js';
import { type FinanceTables } from '../../../finance/tables.js';
import { type PaymentTables } from '../../../payments/tables.js';
import { SYSTEM_ACTOR } from '../../../platform/acts/actor.js';
import { type ActEnd, Acts } from '../../../platform/acts/acts.js';
import { type ActTables } from '../../../platform/acts/tables.js';
import { Clock } from '../../../platform/clock.js';
import { DATABASE } from '../../../platform/database/database.js';
import { EventStore, type StoredEvent } from '../../../platform/event-store/event-store.js';
import { Locks } from '../../../platform/locks.js';
import { Scheduled, ScheduledWorker } from '../../../platform/scheduled-worker.js';
import { eventsCausedBy } from '../caused-events.js';

const INTERVAL_MS = 60_000;
const LOCK = 'act-reconciler';
/** Acts of one run. The next run continues. */
const ACTS_PER_RUN = 100;
/** An act that was just announced is still under way. Milliseconds. */
const UNDER_WAY_MS = 30_000;
/** After this time no process can still write the events of an act: a command ends within seconds. Milliseconds. */
const LOST_AFTER_MS = 15 * 60_000;
/** Refused acts are looked at again for this long: a repeated request may have succeeded. Milliseconds. */
const LOOK_AGAIN_MS = 24 * 3_600_000;
/** Addresses of requests are erased after this time. */
const ADDRESSES_KEPT = '13 months';

/** Acts on the payouts of a creator. */
const PAYOUT_KINDS: ReadonlySet<ActKind> = new Set<ActKind>([
  'payout.cancelled',
  'payout.failed',
  'payout.held',
  'payout.released',
]);
/** Acts whose values are known before their events. */
const KNOWN_VALUES: ReadonlySet<ActKind> = new Set<ActKind>([...PAYOUT_KINDS, 'books.month_closed']);
/** Acts on the ledger. Other acts end in the transaction that announces them. */
const LEDGER_KINDS: readonly ActKind[] = [
  ...(['credits.granted', 'credits.adjusted', 'clock.repaired', 'purchase.refunded'] as const),
  ...KNOWN_VALUES,
];

interface OpenAct {
  readonly id: string;
  readonly kind: ActKind;
  readonly user_id: string | null;
  readonly creator_id: string | null;
  /** The values of the announcement. */
  readonly after: ActValues;
  readonly at_ms: number;
  readonly refused: boolean;
}

/**
 * Ends the acts whose process died, at start and once a minute, on one instance. An act is done when the ledger has its
 * events, and refused when it has none and none can come any more. Opens an empty log with its first entry: from that
 * time on the audit expects an act for each change by an admin. Erases old addresses.
 */
@Injectable()
@Scheduled('act-reconciler', INTERVAL_MS, { fromStart: true })
export class ActReconciler extends ScheduledWorker implements OnApplicationBootstrap {
  protected override readonly failure = 'The open acts of admins could not be ended. The next run is in a minute.';

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<ActTables & PaymentTables & FinanceTables>,
    private readonly eventStore: EventStore,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly locks: Locks,
  ) {
    super();
  }

  onApplicationBootstrap(): Promise<void> {
    return this.openLog();
  }

  protected override work(): Promise<unknown> {
    return this.locks.withLock(LOCK, () => this.run());
  }

  private async openLog(): Promise<void> {
    await this.db.transaction().execute(async (transaction) => {
      const head = await transaction.selectFrom('admin_act_head').select('number').forUpdate().executeTakeFirst();
      if (head?.number !== 0) return;
      const subject = { kind: 'log', id: 'acts' } as const;
      await this.acts.record(transaction, { kind: 'log.opened', actor: SYSTEM_ACTOR, subject, rows: {} });
    });
  }

  private async run(): Promise<void> {
    for (const act of await this.openActs()) {
      if (this.stopped) return;
      const end = await this.endOf(act);
      if (!end || (act.refused && end.state === 'refused')) continue;
      await this.acts.end(act.id, end);
      const message = 'An act of an admin was ended after its process had not done so.';
      this.logger.warn({ message, act: act.id, kind: act.kind, state: end.state });
    }
    await this.eraseAddresses();
    await this.erasePrompts();
  }

  private async openActs(): Promise<OpenAct[]> {
    const now = this.clock.now().getTime();
    const { rows } = await sql<OpenAct>`
      select a.id, a.kind, a.user_id, a.creator_id, a.body::jsonb -> 'after' as after, a.at_ms::float8 as at_ms, refused.id is not null as refused
      from admin_act a left join admin_act refused on refused.closes = a.id and refused.state = 'refused'
      where a.state = 'open' and a.kind = any(${LEDGER_KINDS}) and a.at_ms < ${now - UNDER_WAY_MS}
        and (refused.id is null or refused.at_ms > ${now - LOOK_AGAIN_MS})
        and not exists (select from admin_act done where done.closes = a.id and done.state = 'done')
      order by refused.id is not null, a.number limit ${ACTS_PER_RUN}`.execute(this.db);
    return rows;
  }

  /** Null while the act may still go on. */
  private async endOf(act: OpenAct): Promise<ActEnd | null> {
    const { id, kind, user_id: userId, at_ms: atMs } = act;
    const stream = streamOf(act);
    const events = stream === null ? [] : await eventsCausedBy(this.eventStore, { id, stream, atMs });
    const isLost = atMs < this.clock.now().getTime() - LOST_AFTER_MS;
    if (kind === 'purchase.refunded') return this.endOfRefund(id, events, isLost);
    if (KNOWN_VALUES.has(kind) && events.length > 0) return { state: 'done', events, after: act.after };
    if (userId !== null && events.length > 0) {
      return { state: 'done', events, ...(await this.changeOf({ ...act, user_id: userId }, events)) };
    }
    return isLost && !(await this.waits(id)) ? { state: 'refused' } : null;
  }

  /** A wish to close a month may wait for long. */
  private async waits(id: string): Promise<boolean> {
    const wish = this.db.selectFrom('month_close').select('id').where('id', '=', id).where('state', '=', 'waiting');
    return (await wish.executeTakeFirst()) !== undefined;
  }

  /** The change by the events, as the interrupted call would have recorded it. */
  private async changeOf(
    { kind, user_id: userId, after }: OpenAct & { readonly user_id: string },
    events: readonly StoredEvent[],
  ): Promise<Pick<ActEnd, 'before' | 'after'>> {
    if (kind === 'clock.repaired') {
      const ahead = events.find(({ type }) => type === 'ClockRepaired')?.data['aheadUntil'];
      return { before: { ahead_until: typeof ahead === 'string' ? ahead : null }, after: { ahead_until: null } };
    }
    const versions = events.map(({ version }) => version);
    const range = { userId, first: Math.min(...versions), last: Math.max(...versions) };
    const balances = await balancesAround(this.eventStore, range);
    return { before: { ...balances.before }, after: { ...after, ...balances.after } };
  }

  /** The payment worker continues an ordered refund. Its row says how the refund ended. */
  private async endOfRefund(id: string, events: readonly StoredEvent[], isLost: boolean): Promise<ActEnd | null> {
    const refund = await this.db
      .selectFrom('admin_refund')
      .select(['status', 'credits', 'amount_cents'])
      .where('act_id', '=', id)
      .executeTakeFirst();
    if (!refund) return isLost ? { state: 'refused' } : null;
    const { status, ...after } = refund;
    if (status === 'refunded') return { state: 'done', after, events };
    return status === 'released' || status === 'refused' ? { state: 'refused', after, events } : null;
  }

  /** A process of the version before stores the start of a prompt as the name of a subject. */
  private async erasePrompts(): Promise<void> {
    const since = this.clock.now().getTime() - DAY_MS;
    await sql`
      update admin_act_personal set subject_name = null, subject_name_salt = null
      where subject_name is not null and act_id in (
        select id from admin_act where at_ms > ${since}
          and (kind = 'refusal.reviewed' or kind like 'image.%' or kind like 'prompt.%'))`.execute(this.db);
  }

  private async eraseAddresses(): Promise<void> {
    await sql`
      update admin_act_personal set address = null, address_salt = null
      where address is not null
        and at_ms < (extract(epoch from ${this.clock.now()}::timestamptz - ${ADDRESSES_KEPT}::interval) * 1000)::bigint`.execute(
      this.db,
    );
  }
}

/** The stream that the act changes; null without one. */
function streamOf({ kind, user_id: userId, creator_id: creatorId }: OpenAct): string | null {
  if (kind === 'books.month_closed') return PROCESSOR_STREAM;
  if (PAYOUT_KINDS.has(kind)) return creatorId === null ? null : payoutStream(creatorId);
  return userId === null ? null : accountStream(userId);
}
