import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createWholeFile } from './whole-files.js';

const KEY_BYTES = 32;

/** A file does not hold a key of 32 bytes. The message never contains a key. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/**
 * The key in a file, 32 bytes as base64; null without a file.
 * @throws KeyFileError
 */
export async function readKeyFile(file: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new KeyFileError(`There is no key of ${KEY_BYTES} bytes in ${file}.`);
  return key;
}

/**
 * Stores a new random key in a file that only its owner reads. When another process stores one at the same time,
 * returns that one.
 * @throws KeyFileError
 */
export async function createKeyFile(file: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  if (createWholeFile(file, `${key.toString('base64')}\n`)) return key;
  const other = await readKeyFile(file);
  if (!other) throw new KeyFileError(`The key in ${file} cannot be read.`);
  return other;
}
