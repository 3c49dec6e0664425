import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Limit of JavaScript that the landing page loads before any interaction, gzip, without the identity SDK. */
export const LANDING_LIMIT_BYTES = 135_000;

/** Scripts that the page itself names: the entry and its modulepreloads. */
const NAMED = /<(?:script|link)\b[^>]*\b(?:src|href)="\/assets\/([^"]+\.js)"/g;
/** `import ... from "./x.js"`, `import "./x.js"`, `export ... from "./x.js"`; not `import("./x.js")`. */
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g;
/** The page at `/`, which the router loads immediately. */
const HOME_PAGE = /["'](?:\.\/|assets\/)(home-page-[^"']+\.js)["']/;

/**
 * The scripts that `/` loads initially: those of index.html, the home page, and their static imports.
 * @param {string} html the built index.html
 * @param {(name: string) => string} read returns the code of a file in the folder of assets
 * @returns {string[]} names in the folder of assets
 * @throws {Error} when no script imports the home page: the shape of the build has changed, so adapt this function
 */
export function landingScripts(html, read) {
  /** @type {Map<string, string>} */
  const scripts = new Map();
  const waiting = [...html.matchAll(NAMED)].map(([, name = '']) => name);
  let home = false;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (scripts.has(name)) continue;
    const code = read(name);
    scripts.set(name, code);
    waiting.push(...[...code.matchAll(STATIC_IMPORT)].map(([, imported = '']) => imported));
    const page = HOME_PAGE.exec(code)?.[1];
    if (page === undefined) continue;
    home = true;
    waiting.push(page);
  }
  if (!home) throw new Error('The script of the home page was not found in the build.');
  return [...scripts.keys()];
}

/**
 * Bytes of JavaScript, gzip, that the landing page of a finished build loads initially.
 * @param {string} folder where index.html is
 */
export function landingBytes(folder) {
  /** @param {string} name */
  const read = (name) => readFileSync(join(folder, 'assets', name), 'utf8');
  return landingScripts(readFileSync(join(folder, 'index.html'), 'utf8'), read)
    .map((name) => gzipSync(read(name), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}
