import { randomBytes } from 'node:crypto';
import { canonicalJson } from '../event-store/hash-chain.js';
import { type Json } from '../json.js';
import { type SealedRows, textHash } from './acts.js';

/**
 * A table whose rows an act or an event fixes by a salted hash. The salt is in the row and is erased with its texts, so
 * that nothing is left to guess.
 */
export interface SealedTable<Column extends string = string> {
  readonly table: string;
  /** Identifies a row. */
  readonly id: Column;
  /** The hash covers them in this order. Never changed: rows have hashes of it. */
  readonly columns: readonly Column[];
}

export function newSalt(): string {
  return randomBytes(16).toString('hex');
}

/** The hash of a row, for the act that makes it. */
export function sealRow<Column extends string>(
  sealed: SealedTable<Column>,
  row: Readonly<Record<Column, unknown>>,
  salt: string,
): SealedRows {
  return { [nameOfRow(sealed, String(row[sealed.id]))]: hashOfRow(sealed, row, salt) };
}

/** The name of a row in an act. */
export function nameOfRow({ table }: SealedTable, id: string): string {
  return `${table}/${id}`;
}

export function hashOfRow<Column extends string>(
  { columns }: SealedTable<Column>,
  row: Readonly<Record<Column, unknown>>,
  salt: string,
): string {
  return textHash({ text: canonicalJson(columns.map((column) => jsonOf(row[column]))), salt });
}

/** A value as JSON, also one that the database returned. */
function jsonOf(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return (value ?? null) as Json;
}
