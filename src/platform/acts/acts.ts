import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type ActKind, type ActSubject, type ActValues } from '../../contract/acts.js';
import { Clock } from '../clock.js';
import { DATABASE } from '../database/database.js';
import { DomainError } from '../domain-error.js';
import { canonicalJson } from '../event-store/hash-chain.js';
import { IdGenerator, uuidFrom } from '../ids.js';
import { type JsonObject } from '../json.js';
import { type Actor } from './actor.js';
import { ACT_TEXTS, type ActText, type ActTables } from './tables.js';

/** Salted hashes of rows, by the name of the row (`sealRow`). */
export type SealedRows = Readonly<Record<string, string>>;

/** An act as its use case describes it. `before` and `after` never name a person; the other texts may. */
export interface NewAct {
  readonly kind: ActKind;
  readonly actor: Actor;
  readonly subject: { readonly kind: ActSubject; readonly id: string; readonly name?: string | null };
  /** The user concerned. */
  readonly userId?: string | null;
  readonly creatorId?: string | null;
  readonly before?: ActValues;
  readonly after?: ActValues;
  readonly reason?: string | null;
  /** The rows that it makes: the audit compares them with these hashes. */
  readonly rows?: SealedRows;
  /** The act that this one undoes. Each act can be undone once. */
  readonly undoes?: string | null;
}

/** An event of the ledger that an act has caused. */
export interface ActEvent {
  readonly stream: string;
  readonly version: number;
  readonly id: string;
}

/** How an announced act has ended. */
export interface ActEnd {
  readonly state: 'done' | 'refused';
  readonly before?: ActValues;
  readonly after?: ActValues;
  readonly events?: readonly ActEvent[];
}

/** The effect of an act on the ledger or at the payment processor. */
export interface ActEffect<Answer> extends Omit<ActEnd, 'state'> {
  readonly answer: Answer;
  /** Empty when the act has changed nothing, or when an earlier call has made the change. */
  readonly events: readonly ActEvent[];
}

/** An announced act, with what its end repeats. */
interface AnnouncedAct {
  readonly id: string;
  readonly body: JsonObject;
}

/** The texts of an entry with their salts. */
type Personal = Readonly<Record<ActText, { readonly text: string; readonly salt: string } | null>>;

type Entry = JsonObject & { readonly id: string; readonly atMs: number };

/**
 * The log of acts of admins and finance people. Each entry holds the hash of the entry before it.
 *
 * An act in SQL is recorded in the transaction that changes the data. The entry is the transaction's last statement,
 * because it locks the end of the log. An act on the ledger or at the payment processor is announced first; the id of
 * the announcement is the causation of the events, and a second entry says how it ended. When the process dies between
 * the two, a reconciler ends the act. An act that was refused and whose request was repeated can be done later: its
 * state is `done` as soon as one of its ends is.
 */
@Injectable()
export class Acts {
  private readonly logger = new Logger(Acts.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<ActTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * Records an act in the transaction that changes the data. One statement.
   * @param id when rows that the act changes refer to it; by default a new one
   * @returns the id of the entry
   */
  async record<Tables>(transaction: Transaction<Tables>, act: NewAct, id: string = this.ids.next()): Promise<string> {
    const { entry, personal } = this.entryOf(act, 'done', id);
    await this.write(transaction as unknown as Transaction<ActTables>, entry, { personal });
    return entry.id;
  }

  /**
   * Performs an act on the ledger or at the payment processor: announces it, runs `work` and records how it ended. A
   * refusal has changed nothing. After any other failure, and when `work` has found an earlier change, the act stays
   * open and the reconciler ends it.
   * @param id of the act: {@link actIdOf} a request that can be repeated; by default a new one
   * @param work receives the id of the act, which is the causation of its events
   */
  async perform<Answer>(
    act: NewAct,
    id: string | undefined,
    work: (actId: string) => Promise<ActEffect<Answer>>,
  ): Promise<Answer> {
    const { entry: body, personal } = this.entryOf(act, 'open', id ?? this.ids.next());
    await this.announceEntry(body, personal);
    const announced = { id: body.id, body };
    let effect: ActEffect<Answer>;
    try {
      effect = await work(body.id);
    } catch (error) {
      if (isRefusal(error)) await this.tryToEnd(announced, { state: 'refused' });
      throw error;
    }
    const { answer, ...end } = effect;
    if (effect.events.length > 0) await this.tryToEnd(announced, { ...end, state: 'done' });
    else if (id === undefined) await this.tryToEnd(announced, { ...end, state: 'refused' });
    return answer;
  }

  /**
   * Announces an act on the ledger or at the payment processor. The caller must {@link end} it; {@link perform} does
   * both.
   * @param id chosen by the caller when the act can be repeated: a known id is announced once
   * @param transaction that stores what the act asks for; by default none
   * @returns the id of the entry: the causation of the act's events
   */
  async announce<Tables>(
    act: NewAct,
    id: string = this.ids.next(),
    transaction?: Transaction<Tables>,
  ): Promise<string> {
    const { entry, personal } = this.entryOf(act, 'open', id);
    await this.announceEntry(entry, personal, transaction as unknown as Transaction<ActTables> | undefined);
    return id;
  }

  /** Records how an announced act has ended. Ending it again changes nothing, except that a refused act can be done. */
  async end(announced: string, end: ActEnd): Promise<void> {
    const open = await this.db.selectFrom('admin_act').select('body').where('id', '=', announced).executeTakeFirst();
    if (!open) throw new Error(`There is no act ${announced}.`);
    await this.writeEnd({ id: announced, body: JSON.parse(open.body) as JsonObject }, end);
  }

  /**
   * Erases what names a person in the acts about them: the reason and the name of the subject. The entries stay, and
   * so do their hashes. Repeating it changes nothing.
   * @param creatorId of the person, if they are a creator
   */
  async eraseTextsAbout({
    userId,
    creatorId,
  }: {
    readonly userId: string;
    readonly creatorId?: string | undefined;
  }): Promise<void> {
    await sql`
      update admin_act_personal set reason = null, reason_salt = null, subject_name = null, subject_name_salt = null
      where (reason is not null or subject_name is not null) and act_id in (
        select id from admin_act where user_id = ${userId}
        union select id from admin_act where subject_id = ${userId}
        union select id from admin_act where creator_id = ${creatorId ?? null}
      )`.execute(this.db);
  }

  private async announceEntry(entry: Entry, personal: Personal, db: Kysely<ActTables> = this.db): Promise<void> {
    await this.write(db, entry, { personal, unless: sql`on conflict (id) do nothing` });
  }

  /** The reconciler ends what this cannot. */
  private async tryToEnd(announced: AnnouncedAct, end: ActEnd): Promise<void> {
    try {
      await this.writeEnd(announced, end);
    } catch (error) {
      const message = 'The end of an act could not be recorded. The reconciler records it.';
      this.logger.warn({ message, act: announced.id, error });
    }
  }

  private async writeEnd({ id, body }: AnnouncedAct, { state, before, after, events }: ActEnd): Promise<void> {
    const entry = {
      ...body,
      id: this.ids.next(),
      atMs: this.clock.now().getTime(),
      state,
      closes: id,
      before: { ...before },
      after: { ...after },
      events: (events ?? []).map((event) => ({ stream: event.stream, version: event.version, id: event.id })),
      personal: null,
    };
    await this.write(this.db, entry, {
      only: sql`where not exists (select from admin_act where closes = ${id} and state = 'done')`,
      unless: sql`on conflict (closes, state) where closes is not null do nothing`,
    });
  }

  private entryOf(act: NewAct, state: 'done' | 'open', id: string): { entry: Entry; personal: Personal } {
    const salted = (text: string | null | undefined): Personal[ActText] =>
      text == null ? null : { text, salt: randomBytes(16).toString('hex') };
    const personal: Personal = {
      reason: salted(act.reason),
      address: salted(act.actor.address),
      subject_name: salted(act.subject.name),
    };
    const hashes = ACT_TEXTS.map((field) => [field, personal[field] && textHash(personal[field])] as const);
    const entry = {
      id,
      atMs: this.clock.now().getTime(),
      kind: act.kind,
      state,
      actorId: act.actor.userId,
      actorRole: act.actor.role,
      requestId: act.actor.requestId,
      subjectKind: act.subject.kind,
      subjectId: act.subject.id,
      userId: act.userId ?? null,
      creatorId: act.creatorId ?? null,
      before: { ...act.before },
      after: { ...act.after },
      undoes: act.undoes ?? null,
      closes: null,
      events: [],
      personal: Object.fromEntries(hashes),
      ...(act.rows ? { rows: { ...act.rows } } : {}),
    };
    return { entry, personal };
  }

  /**
   * Appends an entry in one statement. The lock on the head orders the entries of transactions at the same time.
   * @throws Error when the entry was not written and `unless` is not given
   */
  private async write(
    db: Kysely<ActTables>,
    entry: Entry,
    {
      personal,
      only = sql``,
      unless,
    }: { readonly personal?: Personal; readonly only?: RawBuilder<unknown>; readonly unless?: RawBuilder<unknown> },
  ): Promise<void> {
    // The database knows the number: it takes the place of this text in the canonical form.
    const placeholder = randomBytes(16).toString('hex');
    const [before = '', after = ''] = canonicalJson({ ...entry, number: placeholder }).split(`"${placeholder}"`);
    const texts = ACT_TEXTS.flatMap((field) => [personal?.[field]?.text ?? null, personal?.[field]?.salt ?? null]);
    const { rows } = await sql`
      with head as (
        select number + 1 as number, hash from admin_act_head for update
      ), added as (
        insert into admin_act (id, number, body, hash)
        select ${entry.id}::uuid, number, body, encode(sha256(convert_to(hash || chr(10) || body, 'UTF8')), 'hex')
        from (select number, hash, ${before} || number || ${after} as body from head) as next ${only}
        ${unless ?? sql``}
        returning id, number, hash
      ), texts as (
        insert into admin_act_personal (act_id, at_ms, reason, reason_salt, address, address_salt, subject_name, subject_name_salt)
        select id, ${entry.atMs}::bigint, ${sql.join(texts.map((text) => sql`${text}::text`))} from added
        where ${personal !== undefined}::boolean
      ), moved as (
        update admin_act_head set number = added.number, hash = added.hash from added
      )
      select number from added`.execute(db);
    if (rows.length === 0 && !unless) throw new Error('The entry of an act was not written.');
  }
}

/** A refusal of the domain. A service that does not answer may have done its work. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'upstreamFailed';
}

/** The id of an act that can be repeated: a UUID of version 8 from everything that makes two requests the same act. */
export function actIdOf(...parts: readonly (string | number | null)[]): string {
  return uuidFrom(canonicalJson([...parts]));
}

/** SHA-256 over the hash of the entry before ('' for the first), a line end and the body, hex. */
export function actHash(previous: string, body: string): string {
  return createHash('sha256').update(`${previous}\n${body}`).digest('hex');
}

/** The trace of a text in an entry: SHA-256, hex. It is salted, so that an erased text cannot be guessed. */
export function textHash({ text, salt }: { readonly text: string; readonly salt: string }): string {
  return saltedHash(salt, text);
}

/** SHA-256 over a salt, a line end and a content, hex. */
export function saltedHash(salt: string, content: string | Buffer): string {
  return createHash('sha256').update(`${salt}\n`).update(content).digest('hex');
}
