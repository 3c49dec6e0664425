import { describe, expect, it } from '@jest/globals';
import { archivedFiles, readArchived } from '../../../test/support/event-archive.js';
import { loadVerifier } from '../../../test/support/verifier.js';
import { AccountAudit } from './account-audit.js';
import { type LedgerProblem } from './stream-audit.js';

describe('archived accounts', () => {
  it.each(archivedFiles())('%s passes the audit', (file) => {
    const problems: LedgerProblem[] = [];
    const { events } = readArchived(file);
    const audit = new AccountAudit(events[0]?.stream ?? '', (problem) => problems.push(problem));
    for (const event of events) audit.add(event);
    audit.end();
    expect([events.length > 0, problems]).toEqual([true, []]);
  });

  it.each(archivedFiles())('%s passes the public verifier', async (file) => {
    const { Account } = await loadVerifier();
    const complaints: string[] = [];
    const { events } = readArchived(file);
    const account = new Account(events[0]?.stream ?? '', (sentence) => complaints.push(sentence));
    for (const event of events) await account.add(event);
    account.end();
    expect([account.readable, complaints]).toEqual([true, []]);
  });

  it('an event of a newer Fanvas gets the address of its verifier', async () => {
    const { Account } = await loadVerifier();
    const complaints: string[] = [];
    const [event] = readArchived(archivedFiles()[0] ?? '').events;
    if (!event) throw new Error('The archive has no event.');
    const account = new Account(event.stream, (sentence) => complaints.push(sentence));
    await account.add({ ...event, data: { ...event.data, schemaVersion: 9 } });
    expect([account.readable, complaints.at(-1)]).toEqual([
      false,
      `${event.stream} @ 0: ${event.type} cannot be read: it was made by a newer Fanvas; fetch its verifier from ` +
        '/ledger/verify-fanvas.mjs of that site.',
    ]);
  });
});
