import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../scripts/lib/run.mjs';

/** Matches a path that starts with one of the repository's folders, such as `src/main.ts`. */
const PATH = /(?<![\w./-])(?:src|web|test|scripts|docs|\.ci|\.github)\/[\w./@-]*[\w/]/g;
/** Folders that only builds and reports create. */
const GENERATED = /^(?:dist|coverage|test\/\.artifacts)\//;

/** Documents, except the specifications and the conformance list, which has its own notation and its own check. */
function documents(): string[] {
  const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return files.filter(
    (file) => !file.startsWith('docs/spec/') && file !== 'docs/conformance.md' && existsSync(join(root, file)),
  );
}

/**
 * Returns the paths in a document that do not exist in the repository. It checks the paths in code blocks and code
 * spans, relative to the root, and the targets of links, relative to the document.
 * @param text the text of the document
 * @param file the path of the document from the root
 */
function missingPaths(text: string, file: string): string[] {
  const code = [...text.matchAll(/`([^`\n]+)`|^ {4,}(\S.*)$/gm)].map((match) => match[1] ?? match[2] ?? '');
  const named = code.flatMap((part) => part.match(PATH) ?? []).filter((path) => !GENERATED.test(path));
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) =>
    join(dirname(file), match[1] ?? ''),
  );
  return [...new Set([...named, ...links])].filter((path) => !existsSync(join(root, path)));
}

/** Returns the names in code that link to a file of sources which does not contain them. */
function missingNames(text: string, file: string): string[] {
  const links = text.matchAll(/\[`(\w+)`\]\((?!https?:)([^)#\s]+\.tsx?)\)/g);
  return [...links].flatMap(([, name = '', target = '']) => {
    const path = join(dirname(file), target);
    const isThere = new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, path), 'utf8'));
    return isThere ? [] : [`${name} in ${path}`];
  });
}

/** Names with a capital letter inside, alone in a code span or with arguments. */
const NAME = /`(?:\w+\.)?([A-Za-z][a-z]+[A-Z]\w*)(?:\([^`]*\))?`/g;
/** Documents about other programs, names that were, and names that are only examples. */
const WITH_OTHER_NAMES = /^docs\/(?:adr\/|benchmarks|event-store|style)/;

/** The words of all sources. */
function wordsOfSources(): ReadonlySet<string> {
  const patterns = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.json', '*.yml', ':!package-lock.json'];
  const files = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  const texts = files
    .filter((file) => existsSync(join(root, file)))
    .map((file) => readFileSync(join(root, file), 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
}

describe('documents', () => {
  it('finds each function, class and event that a document names in the sources', () => {
    const words = wordsOfSources();
    const unknown = documents()
      .filter((file) => !WITH_OTHER_NAMES.test(file))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(NAME)].map(([, name = '']) => [file, name]),
      )
      .filter(([, name = '']) => !words.has(name));
    expect(unknown).toEqual([]);
  });

  it.each(documents())('every path in %s exists', (file) => {
    expect(missingPaths(readFileSync(join(root, file), 'utf8'), file)).toEqual([]);
  });

  it.each(documents())('finds each name that %s links to in its file', (file) => {
    expect(missingNames(readFileSync(join(root, file), 'utf8'), file)).toEqual([]);
  });

  it('reports a name that its file does not have', () => {
    const text =
      'See [`startFanvas`](../src/composition/compose.ts) and [`stopFanvas`](../src/composition/compose.ts).';
    expect(missingNames(text, 'docs/sample.md')).toEqual(['stopFanvas in src/composition/compose.ts']);
  });

  it('reports a path and a link without a file', () => {
    const text = 'See `src/nowhere/gone.ts`, `src/main.ts` and [the guide](missing.md).\n\n    npx oxlint test/gone\n';
    expect(missingPaths(text, 'docs/sample.md')).toEqual(['src/nowhere/gone.ts', 'test/gone', 'docs/missing.md']);
  });
});
