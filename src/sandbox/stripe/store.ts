import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../contract/durations.js';
import { nullIfMissing } from '../../platform/storage/missing-file.js';
import { readOrCreate, replaceFile } from '../json-file.js';
import { newId } from './ids.js';
import { dueAt, type Kind, KINDS, type Rows } from './rows.js';

export interface Keys {
  /** `sk_test_…` */
  readonly secretKey: string;
  /** `whsec_…` */
  readonly webhookSecret: string;
}

/** Stripe keeps an idempotency key for a day and an event for thirty days. */
const IDEMPOTENCY_KEY_RETENTION_MS = DAY_MS;
const EVENT_RETENTION_MS = 30 * DAY_MS;

type Tables = { [K in Kind]: Map<string, Rows[K]> };

/** One entry of the journal: a kind and the complete row. */
type Put = { [K in Kind]: readonly [K, Rows[K]] }[Kind];

interface Due {
  readonly kind: Kind;
  readonly id: string;
  readonly at: number;
}

/**
 * The sandbox's state in memory and in a journal with one line per transaction. A killed process leaves only complete
 * transactions: a truncated last line was never acknowledged and is dropped.
 */
export class Store {
  private readonly tables: Tables;
  private readonly timed = new Map<string, Due>();
  private transaction: { readonly puts: Put[]; readonly undo: (() => void)[] } | null = null;
  private unwritten: string[] = [];
  private writing: Promise<void> = Promise.resolve();
  private writerBusy = false;

  private constructor(
    readonly keys: Keys,
    private readonly journal: FileHandle,
    tables: Tables,
  ) {
    this.tables = tables;
    for (const kind of KINDS) for (const row of tables[kind].values()) this.schedule(kind, row);
  }

  /** @param folder created when missing */
  static async open(folder: string, now: number): Promise<Store> {
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'journal.ndjson');
    const tables = await readJournal(file);
    removeExpired(tables, now);
    await rewrite(file, tables);
    return new Store(await loadKeys(join(folder, 'keys.json')), await open(file, 'a', 0o600), tables);
  }

  get<K extends Kind>(kind: K, id: string): Rows[K] | undefined {
    return this.tables[kind].get(id);
  }

  /** Returns all rows of a kind, latest first. */
  latest<K extends Kind>(kind: K): Rows[K][] {
    return [...this.tables[kind].values()].reverse();
  }

  /** Inserts or replaces a row. Must be called within a transaction. */
  put<K extends Kind>(kind: K, row: Rows[K]): void {
    if (!this.transaction) throw new Error('Rows of the sandbox change only within a transaction.');
    const table = this.tables[kind];
    const before = table.get(row.id);
    table.set(row.id, row);
    this.schedule(kind, row);
    this.transaction.puts.push([kind, row] as Put);
    this.transaction.undo.push(() => {
      if (before) table.set(row.id, before);
      else table.delete(row.id);
      if (before) this.schedule(kind, before);
      else this.timed.delete(`${kind} ${row.id}`);
    });
  }

  /**
   * Applies all changes of `work`, or none if it throws. They are visible at once and durable after `flushed()`, which
   * callers must await before they respond. A nested call joins the outer transaction.
   */
  transact<T>(work: () => T): T {
    if (this.transaction) return work();
    const transaction = (this.transaction = { puts: [] as Put[], undo: [] as (() => void)[] });
    try {
      const result = work();
      if (transaction.puts.length > 0) this.unwritten.push(`${JSON.stringify(transaction.puts)}\n`);
      return result;
    } catch (error) {
      for (const undo of transaction.undo.reverse()) undo();
      throw error;
    } finally {
      this.transaction = null;
    }
  }

  /** Resolves when every transaction so far is on disk. */
  async flushed(): Promise<void> {
    if (this.unwritten.length > 0 && !this.writerBusy) {
      this.writerBusy = true;
      // Group commit: transactions that arrive during a write go to disk together in the next one.
      this.writing = this.writing.then(() => this.write());
    }
    await this.writing;
  }

  /** Scheduled changes that are due. */
  dueBy(now: number): Due[] {
    return [...this.timed.values()].filter(({ at }) => at <= now);
  }

  /** When the next scheduled change is due; null when there is none. */
  nextDueAt(): number | null {
    let next: number | null = null;
    for (const { at } of this.timed.values()) if (next === null || at < next) next = at;
    return next;
  }

  async close(): Promise<void> {
    await this.flushed();
    await this.journal.close();
  }

  private async write(): Promise<void> {
    this.writerBusy = false;
    const lines = this.unwritten.join('');
    this.unwritten = [];
    await this.journal.appendFile(lines);
    await this.journal.datasync();
  }

  private schedule<K extends Kind>(kind: K, row: Rows[K]): void {
    const at = dueAt(kind, row);
    const key = `${kind} ${row.id}`;
    if (at === null) this.timed.delete(key);
    else this.timed.set(key, { kind, id: row.id, at });
  }
}

async function readJournal(file: string): Promise<Tables> {
  const tables = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Tables;
  const journal = (await readFile(file, 'utf8').catch(nullIfMissing)) ?? '';
  // Text after the last line break is a truncated transaction.
  for (const line of journal.split('\n').slice(0, -1)) {
    for (const [kind, row] of JSON.parse(line) as Put[]) (tables[kind] as Map<string, typeof row>).set(row.id, row);
  }
  return tables;
}

function removeExpired(tables: Tables, now: number): void {
  for (const { id, createdAt } of tables.idempotency.values()) {
    if (now - createdAt > IDEMPOTENCY_KEY_RETENTION_MS) tables.idempotency.delete(id);
  }
  for (const { id, object } of tables.event.values()) {
    if (now - object.created * 1000 > EVENT_RETENTION_MS) tables.event.delete(id);
  }
  for (const { id, eventId } of tables.delivery.values()) {
    if (!tables.event.has(eventId)) tables.delivery.delete(id);
  }
}

/** Compacts the journal to one line per remaining row. */
async function rewrite(file: string, tables: Tables): Promise<void> {
  const lines = KINDS.flatMap((kind) => [...tables[kind].values()].map((row) => `${JSON.stringify([[kind, row]])}\n`));
  await replaceFile(file, lines.join(''));
}

const loadKeys = (file: string): Promise<Keys> =>
  readOrCreate(file, () => ({
    secretKey: newId('sk_test_sandbox', 32),
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  }));
