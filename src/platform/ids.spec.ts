import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { validate, version } from 'uuid';
import { isUuid, UuidGenerator } from './ids.js';

afterEach(() => void jest.restoreAllMocks());

describe('UuidGenerator', () => {
  it('makes rising, distinct UUIDv7 of the current time', () => {
    const ids = new UuidGenerator();
    const before = Date.now();
    const made = Array.from({ length: 2_000 }, () => ids.next());
    expect(made.every((id) => validate(id) && version(id) === 7 && isUuid(id))).toBe(true);
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
    const at = Number.parseInt(made[0]?.replace('-', '').slice(0, 12) ?? '', 16);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it('makes rising ids when the clock is set back', () => {
    const ids = new UuidGenerator();
    const first = ids.next();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    expect(ids.next() > first).toBe(true);
  });

  it('makes ids that differ from those of another generator in the random part', () => {
    const a = new UuidGenerator().next();
    const b = new UuidGenerator().next();
    expect(a.slice(14)).not.toBe(b.slice(14));
  });
});
