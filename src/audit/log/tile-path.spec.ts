import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { entriesTile, isWithin, parseTilePath } from './tile-path.js';

const parse = (path: string): unknown => {
  const [level = '', ...rest] = path.split('/');
  return parseTilePath(level, rest);
};

describe('parseTilePath', () => {
  it('reads the addresses of the specification', () => {
    expect(parse('0/x001/x234/067')).toEqual({ entries: false, level: 0, from: 1234067 * 256, to: 1234068 * 256 });
    expect(parse('1/001.p/17')).toEqual({ entries: false, level: 1, from: 256, to: 273 });
    expect(parse('entries/x001/000.p/1')).toEqual({ entries: true, level: 0, from: 256_000, to: 256_001 });
  });

  it('reads each number in exactly one form', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999_999), (number) => {
        const groups = String(number)
          .padStart(Math.ceil(String(number).length / 3) * 3, '0')
          .match(/\d{3}/g) as string[];
        const path = groups.map((group, index) => (index === groups.length - 1 ? group : `x${group}`)).join('/');
        expect(parse(`0/${path}`)).toMatchObject({ from: number * 256 });
        expect(parse(`0/x000/${path}`)).toBeNull();
      }),
    );
  });

  it.each([
    ...['00/000', '-1/000', 'x/000', '0/0', '0/0000', '0/x000', '0/000/001', '0/x001', '0/x01/000', '0/000.p/0'],
    ...['0/000.p/256', '0/000.p/01', '0/000.p', '0/000.p/', '0/000.p/1/2', '100/000', '0/x001/000.p/1.p/1', '0/abc'],
  ])('refuses %s', (path) => expect(parse(path)).toBeNull());

  it('finds a tile within a tree when all its hashes exist', () => {
    const exists = (path: string, size: number): boolean => {
      const [level = '', ...rest] = path.split('/');
      const tile = parseTilePath(level, rest);
      return tile !== null && isWithin(tile, size);
    };
    expect([exists('0/273.p/112', 70_000), exists('0/273.p/113', 70_000), exists('0/273', 70_000)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([exists('1/001.p/17', 70_000), exists('1/001.p/18', 70_000)]).toEqual([true, false]);
    expect([exists('2/000.p/1', 70_000), exists('2/000.p/1', 65_535)]).toEqual([true, false]);
  });
});

describe('entriesTile', () => {
  it('writes each entry with its length in front', () => {
    expect(entriesTile([Buffer.from('ab'), Buffer.alloc(32, 1)]).toString('hex')).toBe(
      `00026162 0020${'01'.repeat(32)}`.replace(' ', ''),
    );
  });
});
