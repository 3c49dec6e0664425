import { DomainError } from '../../platform/domain-error.js';
import { payoutOfReference } from './payout-ids.js';

/** Lines of a bank's file. */
const MOST_LINES = 20_000;
/** Characters of a line. Its four fields have about 150. */
const LONGEST_LINE = 1_000;
const AMOUNT = /^(\d{1,9})\.(\d\d)$/;
const BANK_REFERENCE = /^[\w ./:+-]{1,80}$/;
const DAY = /^20\d\d-\d\d-\d\d$/;

/** A transfer that a bank reports. */
export interface ReportedTransfer {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly payoutId: string;
  readonly amountCents: number;
  readonly bankReference: string;
  /** UTC day, YYYY-MM-DD. */
  readonly paidOn: string;
}

/**
 * Reads a bank's file: CSV with the columns `reference`, `amount` (dollars with two decimals), `paid_on` (YYYY-MM-DD)
 * and `bank_reference`, with or without that header. Fields may be quoted.
 * @param today the last day that a transfer can have
 * @throws DomainError invalid that names the first wrong line. Nothing of such a file is recorded.
 */
export function parseBankFile(text: string, today: string): ReportedTransfer[] {
  const transfers: ReportedTransfer[] = [];
  for (const { row, line } of linesOf(text.replace(/^\uFEFF/, ''))) {
    const blank = row.trim() === '';
    if (line > 2 * MOST_LINES || (transfers.length === MOST_LINES && !blank)) {
      throw new DomainError('invalid', `The file has more than ${MOST_LINES} lines.`);
    }
    if (blank) continue;
    if (row.length > LONGEST_LINE) throw new DomainError('invalid', `Line ${line}: it is too long.`);
    const cells = cellsOf(row);
    if (line === 1 && cells[0]?.toLowerCase() === 'reference') continue;
    transfers.push(transferOf(cells, line, today));
  }
  if (transfers.length === 0) throw new DomainError('invalid', 'The file has no transfer.');
  return transfers;
}

/** One line after another: a file of line breaks must not become millions of texts. */
function* linesOf(text: string): Generator<{ readonly row: string; readonly line: number }> {
  let from = 0;
  for (let line = 1; from <= text.length; line += 1) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    yield { row: text.slice(from, end).replace(/\r$/, ''), line };
    from = end + 1;
  }
}

function transferOf(cells: readonly string[], line: number, today: string): ReportedTransfer {
  const refuse = (sentence: string): never => {
    throw new DomainError('invalid', `Line ${line}: ${sentence}`);
  };
  if (cells.length !== 4) refuse('it must have reference, amount, paid_on and bank_reference.');
  const [reference = '', amount = '', paidOn = '', bankReference = ''] = cells;
  const payoutId = payoutOfReference(reference) ?? refuse('the reference is not one of a payout.');
  const [, dollars = '', cents = ''] = AMOUNT.exec(amount) ?? [];
  const amountCents = Number(dollars) * 100 + Number(cents);
  if (amountCents === 0) refuse('the amount must be positive dollars with two decimals, such as 120.50.');
  const day = new Date(`${paidOn}T00:00:00Z`);
  const exists = DAY.test(paidOn) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(paidOn);
  if (!exists || paidOn > today) refuse('paid_on must be a day such as 2026-11-03, not in the future.');
  if (!BANK_REFERENCE.test(bankReference)) refuse('the bank reference must have 1 to 80 letters, digits or ./:+-');
  return { line, payoutId, amountCents, bankReference, paidOn };
}

/** The fields of a line of CSV (RFC 4180). A field has no line breaks here. */
function cellsOf(row: string): string[] {
  const fields = row.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((field) => field.replace(/,$/, '')) ?? [];
  // The expression also matches the empty end.
  if (!row.endsWith(',')) fields.pop();
  return fields.map((field) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field).trim());
}
