import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import { type RateLimit } from '../../src/contract/rate-limits.js';
import {
  CONTRACT_ENTRY,
  type ContractEntry,
  ROUTE_OPTIONS,
  type RouteOptions,
} from '../../src/platform/http/routes.js';
import { PAGE_LOADS } from '../../web/test/page-loads.js';

/** Loads a minute by one person that no limit refuses. */
const LOADS = 40;
const FINANCE_LOADS = 20;
/** The specification gives the check of a payment to a class of 20 a minute (F7.29). */
const SPECIFIED: Readonly<Record<string, number>> = { '/payment-success': 20 };

const CONTEXTS = new URL('../../src/', import.meta.url);

/** The limit of each call, as the controllers declare it. */
async function readLimits(): Promise<Map<string, RateLimit>> {
  const limits = new Map<string, RateLimit>();
  const modules = readdirSync(CONTEXTS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!platform\/|composition\/)(?:[a-z-]+\/)+[a-z-]+\.module\.ts$/.test(file),
  );
  for (const file of modules) {
    const classes = Object.values((await import(new URL(file, CONTEXTS).href)) as Record<string, object>);
    const controllers = classes.flatMap((each) => Reflect.getMetadata('controllers', each) as { prototype: object }[]);
    for (const { prototype } of controllers.filter(Boolean)) {
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const handler: unknown = Reflect.get(prototype, name);
        if (typeof handler !== 'function' || name === 'constructor') continue;
        const entry = Reflect.getMetadata(CONTRACT_ENTRY, handler) as ContractEntry | undefined;
        const limit = (Reflect.getMetadata(ROUTE_OPTIONS, handler) as RouteOptions | undefined)?.limit;
        if (!entry || !limit || typeof limit === 'function') continue;
        const called = entry.kind === 'table' ? entry.table.name : entry.name;
        limits.set(called.split('/').at(-1) ?? called, limit);
      }
    }
  }
  return limits;
}

describe('the table of limits', () => {
  let limits: Map<string, RateLimit>;
  beforeAll(async () => {
    limits = await readLimits();
  });

  /** The limits that this many loads of a page in each minute exceed. */
  const exceeded = (calls: readonly string[], loads: number): string[] => {
    const counts = new Map<string, number>();
    for (const call of calls) {
      const limit = limits.get(call);
      if (!limit) throw new Error(`${call} has no limit.`);
      counts.set(limit.name, (counts.get(limit.name) ?? 0) + 1);
    }
    return [...limits.values()]
      .filter(({ name, max, windowSeconds }) => ((counts.get(name) ?? 0) * loads * windowSeconds) / 60 > max)
      .map(({ name, max }) => `${name} allows ${max}, not ${(counts.get(name) ?? 0) * loads}`);
  };

  it.each(Object.entries(PAGE_LOADS))('passes 40 loads of a page in a minute, and 20 of finance: %s', (path, calls) => {
    const loads = SPECIFIED[path] ?? (path.startsWith('/finance') ? FINANCE_LOADS : LOADS);
    expect([...new Set(exceeded(calls, loads))]).toEqual([]);
  });

  it('finds a page that asks too much', () => {
    expect(
      exceeded(
        Array.from({ length: 4 }, () => 'get_frame'),
        LOADS,
      ),
    ).toContain('frame allows 120, not 160');
  });

  it('counts the frame of a page apart from its content', () => {
    expect([...limits].filter(([, { name }]) => name === 'frame').map(([call]) => call)).toEqual(['get_frame']);
    for (const [path, calls] of Object.entries(PAGE_LOADS)) {
      expect([path, calls.filter((call) => call === 'get_frame').length]).toEqual([path, 1]);
    }
  });
});
