/** Compiles TypeScript in memory, with the options of the build (.swcrc). CommonJS, because Jest requires its users. */
const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { transformSync } = require('@swc/core');

/** `exclude` keeps specs out of dist. */
const {
  exclude: _specs,
  $schema: _schema,
  ...options
} = JSON.parse(readFileSync(join(__dirname, '../../.swcrc'), 'utf8'));
const parser = options.jsc.parser;
const jsx = {
  parser: { ...parser, tsx: true },
  transform: { ...options.jsc.transform, react: { runtime: 'automatic', importSource: '#web' } },
};

/**
 * @param {string} filename a .ts or .tsx file
 * @param {boolean | 'inline'} sourceMaps
 * @returns {{ code: string, map?: string }}
 */
function compileTypeScript(filename, sourceMaps) {
  return transformSync(readFileSync(mutated(filename) ?? filename, 'utf8'), {
    ...options,
    // SWC would otherwise read that file again and refuse specs.
    swcrc: false,
    filename,
    sourceMaps,
    jsc: filename.endsWith('x') ? { ...options.jsc, ...jsx } : options.jsc,
  });
}

/**
 * The copy of a file that `npm run mutate` has changed (scripts/lib/mutants.mjs).
 * @param {string} filename
 */
function mutated(filename) {
  const folder = process.env['MUTATED_CODE'];
  const copy = folder && join(folder, relative(join(__dirname, '../..'), filename));
  return copy && existsSync(copy) ? copy : undefined;
}

module.exports = { compileTypeScript };
