import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('engines of package.json', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const oldest = [...engines.node.matchAll(/\d+\.\d+\.\d+/g)].map(([version]) => version);
  /** As people write them: 24 instead of 24.0.0. */
  const short = oldest.map((version) => version.replace(/(\.0)+$/, ''));
  const development = read('.nvmrc').trim();

  it.each(['README.md', 'CONTRIBUTING.md', 'scripts/lib/node-version.mjs'])(
    'the Node versions in %s are those of engines',
    (file) => {
      expect(/Node(?:\.js)? (\d[\d.]+), ([\d.]+) or ([\d.]+), or/.exec(read(file))?.slice(1)).toEqual(short);
    },
  );

  it('the hosted CI runs on the oldest release of each line', () => {
    const [, matrix = ''] = /^ +node: \[(.*)\]$/m.exec(read('.github/workflows/ci.yml')) ?? [];
    expect(matrix.split(', ').map((version) => version.replaceAll("'", ''))).toEqual([
      ...oldest.slice(0, -1),
      development,
    ]);
  });

  it('the image runs on the version of .nvmrc, which is supported', () => {
    expect(short).toContain(development);
    const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version);
    expect(images).toEqual([development, development]);
  });

  it.each([
    ['18.20.8', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['21.7.3', false],
    ['22.12.0', false],
    ['22.13.0', true],
    ['23.11.0', false],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('every script checks Node %s at its start (supported: %s)', (version, supported) => {
    let exited = false;
    const exit = (): void => void (exited = true);
    const process = { versions: { node: version }, stderr: { write: () => true }, exit };
    runInNewContext(read('scripts/lib/node-version.mjs'), { process });
    expect(exited).toBe(!supported);
  });
});
