import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientRecord } from './state.js';
import { Store } from './store.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const browser = (id: string): ClientRecord => ({
  id,
  token: `token-of-${id}`,
  createdAt: NOW,
  signInId: null,
  signUpId: null,
  lastActiveSessionId: null,
});

describe('Store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanvas-clerk-store-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('restores committed records when it opens again', async () => {
    const store = await Store.open(folder, NOW);
    store.state.clients.set('a', browser('a'));
    await store.commit();
    const reopened = await Store.open(folder, NOW);
    expect(reopened.state.clients.get('a')).toEqual(browser('a'));
  });

  it('resolves a commit only when its change is on disk, even with concurrent commits', async () => {
    const store = await Store.open(folder, NOW);
    const ids = Array.from({ length: 25 }, (_, index) => `client_${index}`);
    await Promise.all(
      ids.map(async (id) => {
        store.state.clients.set(id, browser(id));
        await store.commit();
        expect(await readFile(join(folder, 'state.json'), 'utf8')).toContain(`"${id}"`);
      }),
    );
  });

  it('makes its file readable by its owner only', async () => {
    const store = await Store.open(folder, NOW);
    await store.commit();
    expect((await stat(join(folder, 'state.json'))).mode & 0o077).toBe(0);
  });

  it('removes expired browsers and sessions when it opens', async () => {
    const store = await Store.open(folder, NOW);
    store.state.clients.set('idle', browser('idle'));
    store.state.clients.set('used', browser('used'));
    store.state.sessions.set('sess', {
      id: 'sess',
      clientId: 'used',
      userId: 'user_1',
      status: 'active',
      createdAt: NOW,
      lastActiveAt: NOW,
      verifiedAt: NOW,
      expireAt: NOW + 7 * DAY,
      abandonAt: NOW + 30 * DAY,
    });
    await store.commit();
    const soon = await Store.open(folder, NOW + 2 * DAY);
    expect([...soon.state.clients.keys()]).toEqual(['used']);
    const late = await Store.open(folder, NOW + 31 * DAY);
    expect(late.state.sessions.size + late.state.clients.size).toBe(0);
  });
});
