import { generateKeyPairSync } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../platform/clock.js';
import { type ProviderSettings } from '../../platform/config/provider-settings.js';
import { SigningKeys, SigningKeysUnavailableError } from './signing-keys.js';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();

describe('SigningKeys', () => {
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'));
  let asked: number;
  let answer: () => Promise<object>;
  let keys: SigningKeys;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  afterAll(() => {
    Logger.overrideLogger(true);
  });
  beforeEach(() => {
    asked = 0;
    answer = async () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'ins_1', alg: 'RS256' }] });
    const getJwks = (): Promise<object> => {
      asked += 1;
      return answer();
    };
    const clerk = { jwks: { getJwks } } as unknown as ClerkClient;
    keys = new SigningKeys({ clerk: {} } as ProviderSettings, clerk, clock);
  });

  it('loads the keys once for many tokens', async () => {
    const found = await Promise.all(Array.from({ length: 10 }, () => keys.find('ins_1')));
    expect(new Set(found.map((pem) => pem?.trim()))).toEqual(new Set([PEM]));
    clock.advance(600_000);
    await keys.find('ins_1');
    expect(asked).toBe(1);
  });

  it('loads the keys again for an unknown key, but at most every 30 seconds', async () => {
    await keys.find('ins_1');
    for (let i = 0; i < 100; i += 1) await expect(keys.find(`made-up-${i}`)).resolves.toBeNull();
    expect(asked).toBe(1);
    clock.advance(30_001);
    for (let i = 0; i < 100; i += 1) await expect(keys.find(`made-up-${i}`)).resolves.toBeNull();
    expect(asked).toBe(2);
  });

  it('loads the keys again after an hour, and drops a key that was withdrawn', async () => {
    await keys.find('ins_1');
    answer = async () => ({ keys: [] });
    clock.advance(3_600_001);
    await expect(keys.find('ins_1')).rejects.toThrow(SigningKeysUnavailableError);
  });

  it('keeps the keys that it has when the provider does not answer', async () => {
    await keys.find('ins_1');
    answer = () => Promise.reject(new Error('unreachable'));
    clock.advance(3_600_001);
    await expect(keys.find('ins_1')).resolves.toContain('BEGIN PUBLIC KEY');
  });

  it('fails when no keys were ever loaded, and recovers later', async () => {
    const works = answer;
    answer = () => Promise.reject(new Error('unreachable'));
    await expect(keys.find('ins_1')).rejects.toThrow(SigningKeysUnavailableError);
    answer = works;
    clock.advance(30_001);
    await expect(keys.find('ins_1')).resolves.toContain('BEGIN PUBLIC KEY');
  });
});
