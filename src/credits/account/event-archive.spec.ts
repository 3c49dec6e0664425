import { describe, expect, it } from '@jest/globals';
import {
  archivedFiles,
  archiveWrittenEvents,
  nameByContent,
  readArchived,
  resultsOf,
} from '../../../test/support/event-archive.js';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';

/**
 * A new or changed type of event needs a new file with stored examples. Existing files are never edited.
 * `ARCHIVE=<year>-<month>-<title> npx jest event-archive --selectProjects unit` writes the file, once.
 */
const title = process.env['ARCHIVE'];
if (title !== undefined) archiveWrittenEvents(title);

describe('event archive', () => {
  it('contains every archived file unchanged', () => {
    expect(archivedFiles()).toEqual(archivedFiles().map(nameByContent));
    expect(archivedFiles()).toContain('2026-11-first-versions.dbf6093c62e3.json');
  });

  it('contains an example of every version of every event', () => {
    const archived = archivedFiles().flatMap((file) =>
      readArchived(file).events.map(({ type, data }) => `${type} ${JSON.stringify(data['schemaVersion'])}`),
    );
    const written = Object.entries(EVENT_VERSIONS.creditAccount).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(archived)].sort()).toEqual(written.sort());
  });

  it.each(archivedFiles())('keeps the hash chain and the balances of %s', (file) => {
    const { events, balances, debt } = readArchived(file);
    expect(verifyChain(events)).toBeNull();
    expect(resultsOf(events)).toEqual({ balances, debt });
  });
});
