/** The size of the product and of its tests: lines of the tracked sources, by room. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const SOURCES = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.css'];
const MOST_BYTES = 256 * 1024 * 1024;

/** @typedef {{ lines: number, code: number, tests: number }} Size `lines` and `code` are those of the product */

/**
 * @param {string | null} commit
 * @param {string} folder
 * @returns {Map<string, Size>} by room, in the order of the names
 */
function sizeByRoom(commit, folder) {
  /** @type {Map<string, Size>} */
  const rooms = new Map();
  for (const [file, text] of sourcesOf(commit, folder)) {
    const name = roomOf(file);
    const size = rooms.get(name) ?? { lines: 0, code: 0, tests: 0 };
    const lines = text.split('\n').length - 1;
    if (isTest(file)) size.tests += lines;
    else {
      size.lines += lines;
      size.code += codeLines(text);
    }
    rooms.set(name, size);
  }
  return new Map([...rooms].sort(([a], [b]) => a.localeCompare(b)));
}

/**
 * @param {string | null} commit null: the files as they are
 * @param {string} folder of the repository
 * @returns {string} a table with a line for each room and for all
 */
export function sizeTable(commit, folder = root) {
  const rooms = sizeByRoom(commit, folder);
  const total = { lines: 0, code: 0, tests: 0 };
  for (const { lines, code, tests } of rooms.values()) {
    total.lines += lines;
    total.code += code;
    total.tests += tests;
  }
  const row = (/** @type {(string | number)[]} */ ...cells) => cells.map((cell) => String(cell).padStart(7)).join(' ');
  return [
    `${row('lines', 'code', 'tests')}  room`,
    ...[...rooms, /** @type {const} */ (['in all', total])].map(
      ([name, { lines, code, tests }]) => `${row(lines, code, tests)}  ${name}`,
    ),
  ].join('\n');
}

/**
 * Lines of code: no comment, no blank line, and no line of brackets only.
 * @param {string} text
 */
export function codeLines(text) {
  let inComment = false;
  let count = 0;
  for (const line of text.split('\n')) {
    const content = line.trim();
    const begins = /^\{?\/\*/.test(content);
    if (inComment || begins) {
      inComment = !content.includes('*/');
      continue;
    }
    if (!content.startsWith('//') && !/^[\s()[\]{}<>/,;]*$/.test(content)) count += 1;
  }
  return count;
}

/** @param {string} file */
function isTest(file) {
  return /^(web\/)?test\/|\.spec\.[a-z]+$/.test(file);
}

/** `src/credits`, `web/src/features/audit`, `test`. @param {string} file */
function roomOf(file) {
  const depth = file.startsWith('web/src/features/') ? 4 : file.startsWith('web/src/') ? 3 : 2;
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, folders[0] === 'test' || folders[0] === 'scripts' ? 1 : depth).join('/') || '.';
}

/**
 * @param {string | null} commit
 * @param {string} folder
 * @returns {Iterable<[file: string, text: string]>}
 */
function* sourcesOf(commit, folder) {
  const git = (/** @type {string[]} */ args, input = '') =>
    execFileSync('git', args, { cwd: folder, maxBuffer: MOST_BYTES, input });
  if (commit === null) {
    for (const file of git(['ls-files', ...SOURCES])
      .toString()
      .split('\n')
      .filter((name) => name !== '' && existsSync(join(folder, name)))) {
      yield [file, readFileSync(join(folder, file), 'utf8')];
    }
    return;
  }
  const endings = new RegExp(`\\.(${SOURCES.map((pattern) => pattern.slice(2)).join('|')})$`);
  const files = git(['ls-tree', '-r', '--name-only', commit])
    .toString()
    .split('\n')
    .filter((file) => endings.test(file));
  const contents = git(['cat-file', '--batch'], files.map((file) => `${commit}:${file}\n`).join(''));
  let offset = 0;
  for (const file of files) {
    // `<id> blob <bytes>`, the content, and a line end
    const start = contents.indexOf('\n', offset) + 1;
    const bytes = Number(contents.toString('utf8', offset, start).split(' ')[2]);
    yield [file, contents.toString('utf8', start, start + bytes)];
    offset = start + bytes + 1;
  }
}
