import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  archivedFiles,
  archivedPolicies,
  readArchived,
  readArchivedPolicy,
} from '../../../test/support/event-archive.js';
import { writtenEvents } from '../../../test/support/written-events.js';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { readPolicyEvent } from '../policy/events.js';
import { readCreditEvent } from './events.js';

/**
 * Compares docs/events.md with events of the rules. Finds fields that were added, renamed or dropped on one side only.
 */

type Data = Record<string, unknown>;

const written: readonly { readonly type: string; readonly data: object }[] = [
  ...writtenEvents().map(({ event }) => event),
  ...archivedPolicies().flatMap((file) => readArchivedPolicy(file).events),
];

/** Without the events of payouts, which the finance context compares. */
const [catalogue = ''] = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8').split(
  '## Stream `creatorPayout-',
);

interface Section {
  readonly type: string;
  readonly version: number;
  readonly text: string;
  readonly example: Data;
  /** Field names in the table of the section; empty without a table. */
  readonly fields: readonly string[];
}

function exampleIn(text: string): Data {
  const examples = [...text.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, json]) => JSON.parse(json ?? '') as Data);
  if (examples.length !== 1) throw new Error(`There are ${examples.length} examples in: ${text}`);
  return examples[0] as Data;
}

/** Every name in backticks in the first column. */
function fieldsIn(text: string): string[] {
  const cells = [...text.matchAll(/^\| (`[^|]*?) +\|/gm)].map(([, cell]) => cell ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''));
}

const sections: Section[] = catalogue
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [, type = '', version = ''] = /^`(\w+)` \(version (\d+)\)/.exec(text) ?? [];
    return { type, version: Number(version), text, example: exampleIn(text), fields: fieldsIn(text) };
  });

/** Names and types of all values, sorted by name. The entries of a list count together. Null counts as a string. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  if (value === null) return 'string';
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]): [string, unknown] => [name, shapeOf(each)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe('docs/events.md', () => {
  it('lists every event with its newest version, in the table and as a section', () => {
    const rows = [...catalogue.matchAll(/^\| \[`(\w+)`\]\(#(\S+)\) +\| (\d+) /gm)];
    const listed = rows.map(([, type, anchor, version]) => [type, Number(version), anchor]);
    const due = sections.map(({ type, version }) => [type, version, `${type.toLowerCase()}-version-${version}`]);
    expect(listed).toEqual(due);
    expect(Object.fromEntries(listed)).toEqual({ ...EVENT_VERSIONS.creditAccount, ...EVENT_VERSIONS.creditPolicy });
  });

  it.each(sections.map((section): [string, Section] => [section.type, section]))(
    'shows %s as it is written, and explains each of its fields',
    (type, { version, text, example, fields }) => {
      const made = written.filter((event) => event.type === type);
      expect(made).not.toEqual([]);
      for (const event of made) expect(shapeOf(example)).toEqual(shapeOf(event.data));
      const read = type in EVENT_VERSIONS.creditPolicy ? readPolicyEvent : readCreditEvent;
      expect(read({ type, data: example })).toEqual({ type, data: example });
      expect(example['schemaVersion']).toBe(version);
      const names = Object.keys(example).filter((name) => name !== 'schemaVersion');
      for (const name of names) expect(text.replace(/^```json[^]*?^```$/gm, '')).toContain(`\`${name}\``);
      expect(names).toEqual(expect.arrayContaining([...fields]));
    },
  );

  it.each(sections.map(({ type, example }): [string, Data] => [type, example]))(
    'shows correct sums in the example of %s',
    (_type, example) => {
      const parts = (example['allocations'] ?? example['restorations']) as { amount: number }[] | undefined;
      if (parts) expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(example['amount']);
      if ('unitPriceCents' in example) {
        expect(example['unitPriceCents']).toBe(Math.floor(Number(example['amountCents']) / Number(example['amount'])));
      }
      expect(JSON.stringify(example)).not.toMatch(/:-|\.\d+[,}]/);
    },
  );

  it('explains the fields of an allocation', () => {
    const [, words = ''] = /^An \*\*allocation\*\* ([^]*?)\n\n/m.exec(catalogue) ?? [];
    const [deducted] = written.filter((event) => event.type === 'CreditsDeducted');
    const [allocation] = (deducted!.data as unknown as { allocations: object[] }).allocations;
    expect([...new Set([...words.matchAll(/`(\w+)`/g)].map(([, name]) => name))]).toEqual(
      expect.arrayContaining(Object.keys(allocation ?? {})),
    );
  });

  it('explains the stored metadata', () => {
    const [, text = ''] = /^## Metadata[^\n]*\n([^]*?)^## /m.exec(catalogue) ?? [];
    for (const { metadata } of archivedFiles().flatMap((file) => readArchived(file).events)) {
      expect(Object.keys(metadata)).toEqual(fieldsIn(text));
    }
    for (const { metadata } of archivedPolicies().flatMap((file) => readArchivedPolicy(file).events)) {
      expect(Object.keys(metadata).sort()).toEqual(fieldsIn(text).sort());
    }
    expect(Object.keys(exampleIn(text))).toEqual(fieldsIn(text));
  });
});
