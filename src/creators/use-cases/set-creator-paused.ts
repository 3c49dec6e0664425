import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { columnsOf, consentRow, logConsent } from '../consent.js';
import { requireOwnCreator } from '../own-creator.js';
import { type CreatorTables } from '../tables.js';

/**
 * Pauses new images of the creator that a user is, or allows them again. Images in progress are finished. Returns since
 * when it pauses. Without a change nothing is stored.
 * @throws DomainError forbidden for fans, conflict while the consent is withdrawn
 */
export class SetCreatorPaused extends CommandOf<
  { readonly userId: string; readonly paused: boolean; readonly userAgent: string | undefined },
  Date | null
> {}

@CommandHandler(SetCreatorPaused)
export class SetCreatorPausedHandler implements ICommandHandler<SetCreatorPaused> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { userId, paused, userAgent } }: SetCreatorPaused): Promise<Date | null> {
    await requireOwnCreator(this.db, userId);
    const now = this.clock.now();
    const kind = paused ? 'paused' : 'resumed';
    const consent = consentRow({ id: this.ids.next(), userId, kind, at: now, context: 'controls', userAgent });
    const row = await this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ paused_at: Date | null; withdrawn: boolean; changed: boolean }>`
      with own as (
        select id, clerk_id, paused_at, withdrawn_at from creator where clerk_id = ${userId} for update
      ),
      changed as (
        update creator set paused_at = case when ${paused}::boolean then ${now}::timestamptz end,
          updated_at = ${now}::timestamptz
        from own
        where creator.id = own.id and own.withdrawn_at is null and (own.paused_at is not null) <> ${paused}::boolean
        returning creator.clerk_id
      ),
      act as (
        insert into creator_consent (${sql.join(columnsOf(consent).map((column) => sql.ref(column)))})
        select ${sql.join(Object.values(consent))} from changed
      )
      select withdrawn_at is not null as withdrawn, exists (select from changed) as changed,
        case when ${paused}::boolean then coalesce(paused_at, ${now}::timestamptz) end as paused_at
      from own`.execute(transaction);
      if (rows[0]?.changed) await logConsent(this.acts, transaction, consent);
      return rows[0];
    });
    if (!row) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
    if (row.withdrawn) throw new DomainError('conflict', CONTROL_MESSAGES.withdrawn, { code: '55000' });
    return row.paused_at;
  }
}
