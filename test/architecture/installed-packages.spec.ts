import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isInstalled, missingOptional, withAddresses } from '../../scripts/lib/dependencies.mjs';

type Lock = Parameters<typeof missingOptional>[0];

const wanted = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/fastify': { version: '5.0.0', integrity: 'sha512-a' },
    'node_modules/sharp-for-another-system': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  },
};
const fastify = { version: '5.0.0', integrity: 'sha512-a' };

describe('missing packages', () => {
  it('accepts a complete installation without the optional packages of other systems', () => {
    expect(isInstalled(wanted, { packages: { 'node_modules/fastify': fastify } })).toBe(true);
  });

  it('ignores a package that is not in the lockfile', () => {
    const packages = { 'node_modules/fastify': fastify, 'node_modules/extra': { version: '1.0.0' } };
    expect(isInstalled(wanted, { packages })).toBe(true);
  });

  it.each([
    ['is missing', {}],
    ['has another version', { 'node_modules/fastify': { ...fastify, version: '5.0.1' } }],
    ['has other content', { 'node_modules/fastify': { ...fastify, integrity: 'sha512-c' } }],
    [
      'is optional and has another version',
      { 'node_modules/fastify': fastify, 'node_modules/sharp-for-another-system': { version: '0.9.0' } },
    ],
  ])('requires an installation when a package %s', (_what, packages) => {
    expect(isInstalled(wanted, { packages })).toBe(false);
  });
});

describe('withAddresses', () => {
  it('gives each package with a checksum its address in the registry', () => {
    const integrity = 'sha512-a';
    const packages = {
      '': { version: '0.1.0' },
      'node_modules/a/node_modules/@scope/b': { version: '1.2.3', integrity },
      'node_modules/other-name': { name: '@scope/c', version: '1.0.0', integrity },
      'node_modules/from-git': { version: '2.0.0' },
    };
    const addressed = withAddresses({ packages }, 'https://registry.example/npm/').packages;
    expect(Object.values(addressed).map(({ resolved }) => resolved)).toEqual([
      undefined,
      'https://registry.example/npm/@scope/b/-/b-1.2.3.tgz',
      'https://registry.example/npm/@scope/c/-/c-1.0.0.tgz',
      undefined,
    ]);
  });
});

describe('package-lock.json', () => {
  it('contains the optional packages of every platform, which npm ci requires', () => {
    const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock;
    expect(missingOptional(lock)).toEqual([]);
  });

  it('reports a lockfile that lacks one of them', () => {
    const sharp = { version: '1.0.0', optionalDependencies: { 'sharp-mac': '1.0.0', 'sharp-linux': '1.0.0' } };
    const nested = 'node_modules/a/node_modules/b/node_modules/sharp';
    const packages = { [nested]: sharp, 'node_modules/a/node_modules/sharp-linux': { version: '1.0.0' } };
    expect(missingOptional({ packages })).toEqual([{ name: 'sharp-mac', version: '1.0.0', dev: false }]);
  });
});

describe('the identity SDK', () => {
  it('[C9.10] repeats a failed request after 125 ms, then after twice as long each time, at most 5 attempts', () => {
    const sdk = readFileSync('node_modules/@clerk/clerk-js/dist/clerk.browser.js', 'utf8');
    expect(sdk).toMatch(/initialDelay:125,maxDelayBetweenRetries:0,factor:2,shouldRetry:\((\w),(\w)\)=>\2<5/);
  });
});
