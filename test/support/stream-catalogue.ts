import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { chainEvents, EMPTY_HEAD } from '../../src/platform/event-store/chain-events.js';
import { verifyChain } from '../../src/platform/event-store/hash-chain.js';
import { type JsonObject } from '../../src/platform/json.js';

interface TypedEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** The event catalogue of one kind of stream: its section in docs/events.md, and its files in `event-archive/`. */
export interface StreamCatalogue {
  /** Start of the heading of the section: 'creatorEarnings-'. */
  readonly heading: string;
  /** The folder of archived events. */
  readonly folder: URL;
  /** Newest version of each type. */
  readonly versions: Readonly<Record<string, number>>;
  /** Every event as the program writes it now. */
  readonly written: readonly TypedEvent[];
  readonly read: (stored: TypedEvent) => TypedEvent;
  /** The id of an event, for streams in which it follows from the content. */
  readonly idOf?: (event: TypedEvent) => string;
}

interface Section {
  readonly type: string;
  readonly version: number;
  readonly text: string;
  readonly example: JsonObject;
}

/** An archived file: events, and the results that the program of its time computed of them. */
type Archived<Results> = Results & { readonly events: readonly StoredEvent[] };

function sectionsOf(heading: string): { readonly catalogue: string; readonly sections: readonly Section[] } {
  const text = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
  const catalogue = text.split(/^(?=## Stream `)/m).find((part) => part.startsWith(`## Stream \`${heading}`)) ?? '';
  const sections = catalogue
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [, type = '', version = ''] = /^`(\w+)` \(version (\d+)\)/.exec(part) ?? [];
      const [, example = '{}'] = /^```json\n([^]*?)^```$/m.exec(part) ?? [];
      return { type, version: Number(version), text: part, example: JSON.parse(example) as JsonObject };
    });
  return { catalogue, sections };
}

const checksumOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 12);
const textIn = (folder: URL, file: string): string => readFileSync(new URL(file, folder), 'utf8');
const archivedIn = <Results>(folder: URL, file: string): Archived<Results> =>
  JSON.parse(textIn(folder, file)) as Archived<Results>;

/** Tests that archived files never change, have a valid chain, give the same results, and show every version. */
export function itKeepsArchive<Results>(
  { folder, versions, read, idOf }: StreamCatalogue,
  resultsOf: (events: readonly StoredEvent[]) => Results,
): void {
  const files = readdirSync(folder).sort();

  it.each(files)('keeps %s unchanged, with its chain and its results', (file) => {
    expect(file.split('.')[1]).toBe(checksumOf(textIn(folder, file)));
    const { events, ...results } = archivedIn<Results>(folder, file);
    expect(verifyChain(events)).toBeNull();
    expect(resultsOf(events)).toEqual(results);
    if (idOf) expect(events.map(({ id }) => id)).toEqual(events.map((stored) => idOf(read(stored))));
  });

  it('contains an example of every version of every event', () => {
    const found = files.flatMap((file) =>
      archivedIn<Results>(folder, file).events.map(({ type, data }) => `${type} ${data['schemaVersion'] as number}`),
    );
    const due = Object.entries(versions).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(found)].sort()).toEqual(due.sort());
  });
}

/** Compares the names and the types of the fields. Null stands for a text or an object. */
function expectShape(data: JsonObject, example: JsonObject): void {
  expect(Object.keys(data).sort()).toEqual(Object.keys(example).sort());
  for (const [name, value] of Object.entries(data)) {
    const shown = example[name];
    const types = [value, shown].map((each) => (each === null ? 'null' : typeof each));
    if (types.includes('null')) expect(['null', 'string', 'object']).toEqual(expect.arrayContaining(types));
    else expect({ name, type: types[0] }).toEqual({ name, type: types[1] });
  }
}

/** Tests that docs/events.md lists every event, and shows each as it is written and was archived. */
export function itDocumentsEvents({ heading, folder, versions, written, read }: StreamCatalogue): void {
  const { catalogue, sections } = sectionsOf(heading);
  const archived = readdirSync(folder).flatMap((file) => archivedIn<object>(folder, file).events);

  it('lists every event with its newest version, in the table and as a section', () => {
    const rows = [...catalogue.matchAll(/^\| \[`(\w+)`\]\(#(\S+)\) +\| (\d+) /gm)];
    const due = sections.map(({ type, version }) => [type, `${type.toLowerCase()}-version-${version}`, version]);
    expect(rows.map(([, type, anchor, version]) => [type, anchor, Number(version)])).toEqual(due);
    expect(Object.fromEntries(sections.map(({ type, version }) => [type, version]))).toEqual(versions);
  });

  it.each(sections.map((section) => [section.type, section] as const))(
    'shows %s as it is written, and explains each of its fields',
    (type, { version, text, example }) => {
      const isOfVersion = (event: TypedEvent): boolean =>
        event.type === type && event.data['schemaVersion'] === version;
      const made = written.filter(isOfVersion);
      expect(made.length).toBeGreaterThan(0);
      for (const { data } of [...made, ...archived.filter(isOfVersion)]) expectShape(data, example);
      expect(read({ type, data: example })).toEqual({ type, data: example });
      const words = text.replace(/^```json[^]*?^```$/gm, '');
      for (const name of Object.keys(example)) if (name !== 'schemaVersion') expect(words).toContain(`\`${name}\``);
    },
  );
}

/**
 * Writes a file of the archive, once: `ARCHIVE=<year>-<month>-<title> npx jest --selectProjects unit --testPathPatterns
 * <context>/event-catalogue`. Without the variable it does nothing.
 */
export function archiveWhenAsked<Results>(
  { folder, written, idOf = () => v7() }: StreamCatalogue,
  stream: string,
  resultsOf: (events: readonly StoredEvent[]) => Results,
): void {
  const title = process.env['ARCHIVE'];
  if (title === undefined) return;
  const causationId = v7();
  const at = new Date();
  const withIds = written.map((event) => ({ ...event, id: idOf(event) }));
  const origin = { actorId: 'system', causationId, correlationId: causationId, at };
  const events = chainEvents(stream, EMPTY_HEAD, withIds, origin).map((event, index) => {
    const { id, type, data, metadata, json } = event;
    const { hash } = JSON.parse(json?.metadata ?? '{}') as { hash?: string };
    return { stream, version: index, id, type, data, metadata: { ...metadata, hash } };
  });
  const content = `${JSON.stringify({ ...resultsOf(events as unknown as StoredEvent[]), events }, null, 2)}\n`;
  writeFileSync(new URL(`${title}.${checksumOf(content)}.json`, folder), content, { flag: 'wx' });
}
