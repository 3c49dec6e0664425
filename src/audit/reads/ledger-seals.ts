import { join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { type LedgerProof, type LedgerSealPart, type LedgerSealsPage } from '../../contract/audit.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { PG_POOL } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { type PageAfter, QueryOf } from '../../platform/messages.js';
import { type Records, RECORDS, RecordsError } from '../../platform/storage/records.js';
import { wireFields } from '../../platform/wire-fields.js';
import { linesFrom, proveHead } from '../seals/head-proof.js';
import { findSealFile, lastSeal, SEAL_FOLDER, sealsAfter, sealsBefore } from '../seals/ledger-seals.js';
import { LedgerRead } from './ledger-read.js';

/** A page of the seals, by number. @param input `after`: `next` of the page before */
export class ListLedgerSeals extends QueryOf<PageAfter<number> & { readonly newestFirst: boolean }, LedgerSealsPage> {}

/** The lines of a seal from an offset. @throws DomainError notFound, unavailable */
export class GetLedgerSeal extends QueryOf<{ readonly number: number; readonly offset: number }, LedgerSealPart> {}

/**
 * The proof that a seal contains an account. Reads the whole seal.
 * @param input `number` null: the newest seal
 * @throws DomainError notFound, unavailable
 */
export class GetLedgerProof extends QueryOf<{ readonly userId: string; readonly number: number | null }, LedgerProof> {}

@QueryHandler(ListLedgerSeals)
export class ListLedgerSealsHandler extends LedgerRead<ListLedgerSeals> {
  async execute({ input: { after, limit, newestFirst } }: ListLedgerSeals): Promise<LedgerSealsPage> {
    const rows = newestFirst
      ? await sealsBefore(this.pool, after, limit)
      : await sealsAfter(this.pool, after ?? 0, limit);
    const seals = rows.map((row) => wireFields(row, ['number', 'sealed_at', 'published_at', 'line']));
    return { seals, next: rows.length < limit ? null : (rows.at(-1)?.number ?? null) };
  }
}

@Injectable()
abstract class SealReads {
  private readonly logger = new Logger(SealReads.name);
  private readonly folder: string;

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    @Inject(RECORDS) private readonly copies: Records | null,
    @Inject(CONFIG) { dataDir }: Config,
  ) {
    this.folder = join(dataDir, SEAL_FOLDER);
  }

  /** The file of a seal. @param number null for the newest one */
  protected async sealFile(number: number | null): Promise<string> {
    const row = number === null ? await lastSeal(this.pool) : (await sealsAfter(this.pool, number - 1, 1))[0];
    if (!row || (number !== null && row.number !== number)) {
      throw new DomainError('notFound', 'There is no such seal.');
    }
    const file = await findSealFile({ folder: this.folder, copies: this.copies }, row).catch((error: unknown) => {
      if (!(error instanceof RecordsError)) throw error;
      this.logger.error({ message: 'The file of a seal cannot be read.', number: row.number, error });
      const sentence = 'The file of this seal cannot be read at the moment. Please try again in a moment.';
      throw new DomainError('unavailable', sentence);
    });
    if (file !== null) return file;
    throw new DomainError('notFound', 'The file of this seal is on another instance, or with the archive.');
  }
}

@QueryHandler(GetLedgerSeal)
export class GetLedgerSealHandler extends SealReads implements IQueryHandler<GetLedgerSeal> {
  async execute({ input: { number, offset } }: GetLedgerSeal): Promise<LedgerSealPart> {
    const { lines, next } = await linesFrom(await this.sealFile(number), offset);
    return { lines, next_offset: next };
  }
}

@QueryHandler(GetLedgerProof)
export class GetLedgerProofHandler extends SealReads implements IQueryHandler<GetLedgerProof> {
  async execute({ input: { userId, number } }: GetLedgerProof): Promise<LedgerProof> {
    const proof = await proveHead(await this.sealFile(number), userId);
    if (!proof) throw new DomainError('notFound', 'The seal does not contain this account.');
    return proof;
  }
}
