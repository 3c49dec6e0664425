import { v7 } from 'uuid';
import { type ImageInfo } from '../../src/contract/media.js';
import { type GenerationTable } from '../../src/generation/tables.js';

/** An image without files. */
export const STORED_IMAGE: ImageInfo = {
  url: '/media/aaaaaaaaaaaaaaaa/640.webp',
  width: 64,
  height: 64,
  thumbhash: '',
  sources: [],
};

interface Fields extends Partial<Record<Exclude<keyof GenerationTable, 'image'>, unknown>> {
  readonly id?: string;
  readonly status?: GenerationTable['status'];
  readonly is_test?: boolean;
  /** Only a completed generation has one. */
  readonly image?: ImageInfo;
  /** The instant of everything that has happened. */
  readonly at?: Date;
}

/** Stores the row of a generation, by default a completed one. @returns its id */
export async function storeGeneration(
  db: { query(text: string, values: unknown[]): Promise<unknown> },
  { at = new Date(), image = STORED_IMAGE, ...fields }: Fields = {},
): Promise<string> {
  const { id = v7(), status = 'completed', is_test: isTest = false } = fields;
  const row = {
    id,
    user_id: 'user_fan',
    creator_id: 'creator_1',
    prompt: 'A fox',
    status,
    model: 'm',
    cost: isTest ? 0 : 10,
    not_before: at,
    created_at: at,
    updated_at: at,
    credits_closed_at: status === 'pending' ? null : at,
    ...(isTest && { test_day: at.toISOString().slice(0, 10) }),
    ...(status === 'completed' && { image: JSON.stringify(image), completed_at: at }),
    ...(status === 'failed' && { error_message: 'It failed', refund_reason: 'generation_failed' }),
    ...fields,
  };
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await db.query(`insert into generation (${columns.join()}) values (${places.join()})`, Object.values(row));
  return id;
}
