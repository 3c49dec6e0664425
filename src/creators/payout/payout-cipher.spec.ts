import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FolderKeys } from '../../platform/keys/folder-keys.js';
import { PayoutCipher } from './payout-cipher.js';
import { type PayoutFields } from './payout-rules.js';

const FIELDS: PayoutFields = { legal_name: 'Juno Abara', country: 'DE', account: '123456789', tax_status: 'business' };
const UNAVAILABLE = 'Payout details are not available right now. Please try again later.';
const always = { mayCreateKey: true };
const never = { mayCreateKey: false };

let folder: string;

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(join(tmpdir(), 'fanvas-payout-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('PayoutCipher', () => {
  it('creates a key that only its owner reads, and encrypts with a new vector each time', async () => {
    const cipher = new PayoutCipher(null, new FolderKeys(folder));
    const first = await cipher.seal('creator', FIELDS, always);
    const second = await cipher.seal('creator', FIELDS, never);
    expect((await stat(join(folder, 'payout-details-key'))).mode & 0o777).toBe(0o600);
    expect(first.keyId).toBe(second.keyId);
    expect(first.sealed.equals(second.sealed)).toBe(false);
    expect(first.sealed.toString('latin1')).not.toContain('123456789');
    expect(await new PayoutCipher(null, new FolderKeys(folder)).open('creator', first)).toEqual(FIELDS);
  });

  it('uses the given key and stores none', async () => {
    const cipher = new PayoutCipher(randomBytes(32), new FolderKeys(folder));
    expect(await cipher.open('creator', await cipher.seal('creator', FIELDS, never))).toEqual(FIELDS);
    await expect(readFile(join(folder, 'payout-details-key'))).rejects.toThrow('ENOENT');
  });

  it('refuses details of another creator, changed ones, and ones under another key', async () => {
    const cipher = new PayoutCipher(randomBytes(32), new FolderKeys(folder));
    const sealed = await cipher.seal('creator', FIELDS, never);
    await expect(cipher.open('another', sealed)).rejects.toThrow(UNAVAILABLE);
    const changed = Buffer.from(sealed.sealed);
    changed[30] = (changed[30] ?? 0) ^ 1;
    await expect(cipher.open('creator', { ...sealed, sealed: changed })).rejects.toThrow(UNAVAILABLE);
    await expect(new PayoutCipher(randomBytes(32), new FolderKeys(folder)).open('creator', sealed)).rejects.toThrow(
      UNAVAILABLE,
    );
  });

  it('creates no key when details are stored under a lost one, and refuses an unreadable key', async () => {
    await expect(new PayoutCipher(null, new FolderKeys(folder)).seal('creator', FIELDS, never)).rejects.toThrow(
      UNAVAILABLE,
    );
    await writeFile(join(folder, 'payout-details-key'), 'short');
    await expect(new PayoutCipher(null, new FolderKeys(folder)).seal('creator', FIELDS, always)).rejects.toThrow(
      UNAVAILABLE,
    );
  });
});
