import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../scripts/lib/run.mjs';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = execFileSync('git', ['ls-files', 'src/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
const contextOf = (file: string): string => file.split('/')[1] ?? '';

describe('the platform', () => {
  const BUSINESS = /credit|creator|payout|generation|gallery|bundle|purchase/i;
  /** Folders and files that name the business, and the words that they may use. */
  const EXCEPTIONS: readonly (readonly [path: string, words: RegExp, reason: string])[] = [
    ['src/platform/config/', BUSINESS, 'settings have the names that operators know'],
    ['src/platform/acts/', /creatorId|creator_id|admin_act_creator|if they are a creator/g, 'a stored column'],
    ['src/platform/keys/open-keys.ts', /payoutDetailsKey/g, 'a setting'],
    ['src/platform/event-store/postgres-event-store.ts', /creditAccount-|event_purchase_time/g, 'stored names'],
    ['src/platform/server-folder.ts', /bundle/g, 'the bundle of the server'],
    ['src/platform/deadlines.ts', /old generation/g, 'the heap'],
  ];

  it('has no word of the business', () => {
    const found = sources
      .filter((file) => contextOf(file) === 'platform')
      .flatMap((file) => {
        const words = EXCEPTIONS.find(([path]) => file.startsWith(path))?.[1];
        const lines = read(file).split('\n');
        return lines
          .map((line) => (words ? line.replace(words, '') : line))
          .filter((line) => words !== BUSINESS && BUSINESS.test(line))
          .map((line) => `${file}: ${line.trim()}`);
      });
    expect(found).toEqual([]);
  });
});

describe('a context', () => {
  const migrations = sources.filter((file) => file.endsWith('/migrations.ts'));
  /** The context whose migrations make a table, by the name of the table. */
  const owners = new Map(
    migrations.flatMap((file) =>
      [...read(file).matchAll(/(?:create (?:unlogged )?table(?: if not exists)?|rename to) ([a-z_]+)/g)].map(
        ([, table = '']): [string, string] => [table, contextOf(file)],
      ),
    ),
  );
  // The first migration of the audit's table is among those of credits (src/audit/README.md).
  owners.set('ledger_seal', 'audit');
  const READS = [
    /\b(?:from|join|using)\s+"?([a-z_]+)"?/g,
    /(?:selectFrom|Join|JoinLateral|using)\(\s*\[?\s*'([a-z_]+)(?: as \w+)?'/g,
  ];
  const WRITES = [
    /\b(?:insert into|update|delete from|truncate|merge into)\s+"?([a-z_]+)"?/g,
    /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'([a-z_]+)'/g,
  ];
  /** Pairs of a context and the owner of a table that it names in such a statement. */
  const usesOf = (patterns: readonly RegExp[]): string[] => {
    const uses = sources
      .filter((file) => file.split('/').length > 2 && !migrations.includes(file))
      .flatMap((file) => {
        const text = read(file);
        const tables = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table = '']) => table));
        return tables.flatMap((table) => {
          const owner = owners.get(table);
          return owner === undefined || owner === contextOf(file) ? [] : [`${contextOf(file)}: ${owner}`];
        });
      });
    // The platform's tables are read through what it offers; the sandboxes are no part of the product.
    return [...new Set(uses)].filter((use) => !use.endsWith(': platform') && !/^(?:sandbox|cli): /.test(use)).sort();
  };

  it('writes no table of another context', () => {
    expect(usesOf(WRITES)).toEqual([]);
  });

  it('reads the tables of other contexts that docs/architecture.md lists, and no others', () => {
    const [, section = ''] = read('docs/architecture.md').split('## Tables of other contexts\n');
    const rows = section.split('\n## ')[0]?.matchAll(/^\| ([a-z][a-z-]*) +\| ([a-z, -]+?) +\|/gm) ?? [];
    const listed = [...rows].flatMap(([, context = '', named = '']) =>
      named.split(', ').map((owner) => `${context}: ${owner}`),
    );
    expect(usesOf(READS)).toEqual(listed.sort());
  });
});

describe('the index of a context', () => {
  /** The docstring of a declaration, or null, by the file and the name of what it exports. */
  const isDocumented = (file: string, name: string): boolean => {
    const text = read(file);
    const declared = new RegExp(
      `(\\*/\\n)?(?:(?<=\\n)@[^\\n]+\\n)*export (?:declare |abstract |async )*(?:class|function\\*?|interface|type|const|enum) ${name}\\b`,
    ).exec(text);
    if (declared) return declared[1] !== undefined;
    const again = reexports(file).find(({ exported }) => exported === name);
    return again !== undefined && isDocumented(again.file, again.local);
  };
  const reexports = (file: string) =>
    [...read(file).matchAll(/export (?:type )?\{([^}]+)\} from '([^']+)'/g)].flatMap(([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name) => {
          const [local = '', exported = local] = name.split(' as ');
          return { local, exported, file: join(dirname(file), from.replace(/\.js$/, '.ts')) };
        }),
    );

  it('exports only what has a docstring', () => {
    const indexes = sources.filter((file) => file.endsWith('/index.ts'));
    const bare = indexes.flatMap((index) =>
      reexports(index)
        .filter(({ file, local }) => !isDocumented(file, local))
        .map(({ exported }) => `${index}: ${exported}`),
    );
    expect(bare).toEqual([]);
  });
});
