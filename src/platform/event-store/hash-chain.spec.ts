import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import type { Json, JsonObject } from '../json.js';
import { type HashedEvent, canonicalJson, chainEvent, eventHash, verifyChain } from './hash-chain.js';

const event = (over: Partial<HashedEvent> = {}): HashedEvent => ({
  stream: 'creditAccount-1',
  version: 0,
  id: '018f0000-0000-7000-8000-000000000001',
  type: 'CreditsGranted',
  data: { amount: 30, kind: 'bonus' },
  metadata: { actorId: 'u1' },
  ...over,
});

function chain(length: number): HashedEvent[] {
  const events: HashedEvent[] = [];
  let previous: string | null = null;
  for (let version = 0; version < length; version += 1) {
    const bare = event({ version, data: { amount: version } });
    previous = eventHash(previous, bare);
    events.push({ ...bare, metadata: { ...bare.metadata, hash: previous } });
  }
  return events;
}

describe('canonicalJson', () => {
  it('sorts members by code units at every depth and writes no whitespace', () => {
    expect(canonicalJson({ b: [1, { z: null, a: true }], a: 'x', '\u20ac': 1, '\ud83d\ude00': 2, '\ufb33': 3 })).toBe(
      '{"a":"x","b":[1,{"a":true,"z":null}],"\u20ac":1,"\ud83d\ude00":2,"\ufb33":3}',
    );
  });

  it('writes numbers and strings as ECMAScript does', () => {
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0, '\u20ac$\u000f\nA\'"\\/'])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,"\u20ac$\\u000f\\nA\'\\"\\\\/"]',
    );
  });

  it('refuses values that JSON cannot represent', () => {
    for (const bad of [NaN, Infinity, undefined, '\ud800', { a: undefined }, { '\udc00': 1 }, { at: new Date(0) }]) {
      expect(() => canonicalJson(bad as unknown as Json)).toThrow(TypeError);
    }
  });

  it('equals the output of the canonicalize library, also for keys that objects reorder', () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('10', '9', '09', '-1', '', '__proto__', 'toJSON', 'constructor'),
    );
    const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>(null, true, 0, -0, 1e21, 'plain', '"\\\n'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map(membersOf),
      ),
    }));
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { seed: 3, numRuns: 1000 },
    );
  });

  it('gives the same text for every order of the members, and parses back to the same value', () => {
    const wellFormed = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(wellFormed, (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(canonicalJson(reversed(value as Json))).toBe(text);
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});

describe('the hash chain', () => {
  it('accepts unchanged events, from the first event or a later one', () => {
    const events = chain(5);
    expect(verifyChain(events)).toBeNull();
    expect(verifyChain(events.slice(2), events[1]?.metadata['hash'] as string)).toBeNull();
  });

  it('has hashes that do not change between releases', () => {
    expect(eventHash(null, event())).toBe('eb5bf28f53e00ef5b3778c80dfecd0b0511b4e2e85bde724f2551f60867e17ad');
  });

  it('adds the hash to a new event and returns the JSON that a store keeps', () => {
    for (const metadata of [{ actorId: 'u1', zone: 'z' }, {}] as JsonObject[]) {
      const fresh = event({ metadata });
      const { hash, json } = chainEvent('a', fresh);
      expect(fresh.metadata['hash']).toBe(hash);
      expect(verifyChain([fresh], 'a')).toBeNull();
      expect(JSON.parse(json.data)).toEqual(fresh.data);
      expect(JSON.parse(json.metadata)).toEqual(fresh.metadata);
    }
  });

  it.each<[string, Partial<HashedEvent>]>([
    ['data', { data: { amount: 31, kind: 'bonus' } }],
    ['type', { type: 'CreditsPurchased' }],
    ['metadata', { metadata: { actorId: 'u2' } }],
    ['stream', { stream: 'creditAccount-2' }],
    ['version', { version: 1 }],
    ['id', { id: '018f0000-0000-7000-8000-000000000002' }],
  ])('covers the %s', (_what, change) => {
    expect(eventHash(null, event(change))).not.toBe(eventHash(null, event()));
  });

  it('covers the hash of the predecessor and excludes its own', () => {
    expect(eventHash('a', event())).not.toBe(eventHash(null, event()));
    expect(eventHash(null, event({ metadata: { actorId: 'u1', hash: 'x' } }))).toBe(eventHash(null, event()));
  });

  it('reports the first event that was changed, dropped, swapped or has no hash', () => {
    const at = (events: HashedEvent[]): number | undefined => verifyChain(events)?.version;
    const touch = (version: number, over: Partial<HashedEvent>): HashedEvent[] =>
      chain(5).map((one) => (one.version === version ? { ...one, ...over } : one));
    const [a, b, c, d, e] = chain(5) as [HashedEvent, HashedEvent, HashedEvent, HashedEvent, HashedEvent];
    expect(at(touch(3, { data: { amount: 4 } }))).toBe(3);
    expect(at(touch(2, { metadata: { actorId: 'u1' } }))).toBe(2);
    expect(at([a, b, d, e])).toBe(3);
    expect(at([a, c, b, d, e])).toBe(2);
    expect(verifyChain(touch(2, { metadata: {} }))).toMatchObject({ stream: 'creditAccount-1', found: null });
  });
});

/** An object with these members in this order, as far as objects keep one. */
function membersOf(members: readonly (readonly [string, Json])[]): Json {
  const object: Record<string, Json> = {};
  for (const [key, value] of members)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
  return object;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
