import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type AdminAct } from '../../../contract/acts.js';
import { type ActFilter } from '../../../contract/calls/acts.js';
import { type Actor } from '../../../platform/acts/actor.js';
import { Acts } from '../../../platform/acts/acts.js';
import { csvLine } from '../../../platform/csv.js';
import { DATABASE } from '../../../platform/database/database.js';
import { inPages } from '../../../platform/database/in-pages.js';
import { CommandOf } from '../../../platform/messages.js';
import { readActs } from '../reads/act-rows.js';

/** Entries read at once. */
const ENTRIES_PER_READ = 1_000;

/** The columns of the CSV, in order. */
const COLUMNS: readonly (readonly [string, (act: AdminAct) => string | number | boolean | null])[] = [
  ['number', (act) => act.number],
  ['id', (act) => act.id],
  ['at', (act) => act.at],
  ['kind', (act) => act.kind],
  ['state', (act) => act.state],
  ['actor_id', (act) => act.actor_id],
  ['actor_name', (act) => act.actor_name],
  ['actor_role', (act) => act.actor_role],
  ['subject_kind', (act) => act.subject_kind],
  ['subject_id', (act) => act.subject_id],
  ['subject_name', (act) => act.subject_name],
  ['user_id', (act) => act.user_id],
  ['creator_id', (act) => act.creator_id],
  ['before', (act) => JSON.stringify(act.before)],
  ['after', (act) => JSON.stringify(act.after)],
  ['reason', (act) => act.reason],
  ['address', (act) => act.address],
  ['request_id', (act) => act.request_id],
  ['events', (act) => act.events.map(({ stream, version }) => `${stream}@${version}`).join(' ')],
  ['undone_by', (act) => act.undone_by],
  ['sealed', (act) => act.sealed],
  ['hash', (act) => act.hash],
  ['user_name', (act) => act.user_name],
  ['creator_name', (act) => act.creator_name],
  ['proposer_name', (act) => act.proposer_name],
  ['run_number', (act) => act.run_number],
];

/**
 * The log of acts as CSV, the latest first, in parts that are read from the database one after the other. The export is
 * an act itself.
 */
export class ExportActs extends CommandOf<{ readonly filter: ActFilter; readonly by: Actor }, AsyncIterable<string>> {}

@CommandHandler(ExportActs)
export class ExportActsHandler implements ICommandHandler<ExportActs> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    private readonly acts: Acts,
  ) {}

  async execute({ input: { filter, by } }: ExportActs): Promise<AsyncIterable<string>> {
    const { p_search: _search, ...named } = filter;
    await this.db.transaction().execute((transaction) =>
      this.acts.record(transaction, {
        kind: 'log.exported',
        actor: by,
        subject: { kind: 'log', id: 'acts' },
        after: Object.fromEntries(Object.entries(named).filter(([, value]) => value != null)),
      }),
    );
    return this.parts(filter);
  }

  private async *parts(filter: ActFilter): AsyncGenerator<string> {
    yield csvLine(COLUMNS.map(([name]) => name));
    const pages = inPages<AdminAct>(ENTRIES_PER_READ, (last, limit) =>
      readActs(this.db, filter, { before: last?.number ?? null, limit, counted: false }),
    );
    for await (const acts of pages) yield acts.map((act) => csvLine(COLUMNS.map(([, value]) => value(act)))).join('');
  }
}
