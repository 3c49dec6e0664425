import { type Pool } from 'pg';
import { actHash, textHash } from '../../platform/acts/acts.js';
import { ACT_TEXTS, type ActText } from '../../platform/acts/tables.js';
import { inPages } from '../../platform/database/in-pages.js';
import { type JsonObject } from '../../platform/json.js';
import { parseSeal, type SealedActs } from '../seals/seal-file.js';
import { parseObject } from '../seals/signed-file.js';
import { ACT_LOG } from './act-rows.js';
import { type Report } from './problem-reports.js';

/** Entries read at once. */
const ENTRIES_PER_READ = 1_000;

type Texts = Readonly<Record<ActText | `${ActText}_salt`, string | null>>;

interface EntryRow extends Texts {
  readonly id: string;
  readonly number: number;
  readonly body: string;
  readonly hash: string;
  readonly kind: string;
  readonly at_ms: number;
  readonly actor_id: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly user_id: string | null;
  readonly creator_id: string | null;
  readonly state: string;
  readonly closes: string | null;
  readonly undoes: string | null;
  /** Null without a row of texts. */
  readonly texts_of: string | null;
}

/** Columns that the database reads from the body, and their members. */
const GENERATED = [
  ['kind', 'kind'],
  ['at_ms', 'atMs'],
  ['actor_id', 'actorId'],
  ['subject_kind', 'subjectKind'],
  ['subject_id', 'subjectId'],
  ['user_id', 'userId'],
  ['creator_id', 'creatorId'],
  ['state', 'state'],
  ['closes', 'closes'],
  ['undoes', 'undoes'],
  ['id', 'id'],
  ['number', 'number'],
] as const;

/**
 * Checks the log of acts: the chain of hashes from the first entry, numbers without gaps, the columns that repeat the
 * content, the row of the last entry, the texts that are not erased, and the entries that seals cover. It may run while
 * the app writes. Memory does not depend on the length of the log.
 * @param heads from proven seals, in addition to those in the database
 * @returns the number of entries
 */
export async function verifyActLog(pool: Pool, heads: readonly SealedActs[], onProblem: Report): Promise<number> {
  const { rows: found } = await pool.query<{ number: number; hash: string }>('select number, hash from admin_act_head');
  const [head] = found;
  const sealed = [...heads, ...(await headsInDatabase(pool))];
  const audit = new ActLogAudit(sealed, head, onProblem);
  const pages = inPages<EntryRow>(ENTRIES_PER_READ, async (last, limit) => {
    const { rows } = await pool.query<EntryRow>(
      `select a.*, a.at_ms::float8 as at_ms, p.act_id as texts_of, ${ACT_TEXTS.map((text) => `p.${text}, p.${text}_salt`).join(', ')}
       from admin_act a left join admin_act_personal p on p.act_id = a.id
       where a.number > $1 order by a.number limit $2`,
      [last?.number ?? 0, limit],
    );
    return rows;
  });
  for await (const rows of pages) for (const row of rows) audit.add(row);
  audit.end();
  return audit.entries;
}

/** The heads in the signed lines of the database. A forged one can only add problems. */
async function headsInDatabase(pool: Pool): Promise<SealedActs[]> {
  const { rows } = await pool.query<{ line: string }>('select line from ledger_seal order by number');
  return rows.flatMap(({ line }) => {
    const { number, acts } = parseSeal(line)?.manifest ?? {};
    return number !== undefined && acts ? [{ ...acts, seal: number }] : [];
  });
}

class ActLogAudit {
  entries = 0;
  private last = 0;
  private hash = '';
  /** By the number of the entry. */
  private readonly sealed: ReadonlyMap<number, readonly SealedActs[]>;
  private readonly open = new Set<string>();

  /** @param head the row of the last entry, read before the entries */
  constructor(
    heads: readonly SealedActs[],
    private readonly head: { readonly number: number; readonly hash: string } | undefined,
    private readonly onProblem: Report,
  ) {
    const sealed = new Map<number, SealedActs[]>();
    for (const each of heads) sealed.set(each.number, [...(sealed.get(each.number) ?? []), each]);
    this.sealed = sealed;
  }

  add(row: EntryRow): void {
    const { number, body, hash } = row;
    const next = this.last + 1;
    if (number !== next) {
      const missing = number === next + 1 ? `Entry ${next} is` : `Entries ${next} to ${number - 1} are`;
      this.report(next, `${missing} missing.`);
    }
    if (hash !== actHash(this.hash, body)) {
      this.report(number, 'The hash does not match the content of the entry and the hash before it.');
    }
    this.compareSealed(number, hash);
    if (number === this.head?.number && hash !== this.head.hash) {
      this.report(number, 'The row of the last entry has another hash than the entry.');
    }
    const entry = parseObject(body) as JsonObject | null;
    if (!entry) this.report(number, 'The content cannot be read.');
    else this.checkContent(row, entry);
    this.last = number;
    this.hash = hash;
    this.entries += 1;
  }

  end(): void {
    const { head, last } = this;
    if (!head) this.report(null, 'The row of the last entry is missing.');
    else if (head.number > last) {
      const sentence = `The log ends at entry ${last}, but its last entry was ${head.number}: its end is missing.`;
      this.report(last + 1, sentence);
    }
    for (const [number, heads] of this.sealed) {
      for (const { seal } of number > this.last ? heads : []) {
        const sentence = `The log ends at entry ${this.last}, but seal ${seal} covers it up to entry ${number}: its end is missing.`;
        this.onProblem({ stream: ACT_LOG, version: this.last + 1, kind: 'seal', what: sentence });
      }
    }
  }

  private compareSealed(number: number, hash: string): void {
    for (const head of this.sealed.get(number) ?? []) {
      if (head.hash === hash) continue;
      const sentence = `The entry differs from the one that seal ${head.seal} covers: it or an earlier entry was changed, and the hashes were recomputed.`;
      this.onProblem({ stream: ACT_LOG, version: number, kind: 'seal', what: sentence });
    }
  }

  private checkContent(row: EntryRow, entry: JsonObject): void {
    const { number } = row;
    const differing = GENERATED.find(([column, member]) => row[column] !== (entry[member] ?? null));
    if (differing) this.report(number, `The column ${differing[0]} differs from the content.`);
    this.checkTexts(row, entry);
    if (row.state === 'open') this.open.add(row.id);
    if (row.closes !== null && !this.open.has(row.closes)) {
      this.report(number, 'The entry ends an act that was not announced before it.');
    }
  }

  /** A text without its salt was erased. */
  private checkTexts(row: EntryRow, { personal }: JsonObject): void {
    if (row.closes !== null) return;
    const hashes = (personal ?? {}) as Partial<Record<ActText, string | null>>;
    if (row.texts_of === null) this.report(row.number, 'The texts of the entry are missing.');
    for (const field of ACT_TEXTS) {
      const text = row[field];
      const salt = row[`${field}_salt`];
      if (text === null || salt === null) continue;
      if (textHash({ text, salt }) === hashes[field]) continue;
      this.report(row.number, `The text ${field} differs from the one that was recorded.`);
    }
  }

  private report(number: number | null, sentence: string): void {
    this.onProblem({ stream: ACT_LOG, version: number, kind: 'act', what: sentence });
  }
}
