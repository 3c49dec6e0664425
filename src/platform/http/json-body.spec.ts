import { describe, expect, it } from '@jest/globals';
import { fastify, type FastifyRequest } from 'fastify';
import { createJsonParser, findExcess, JSON_LIMITS } from './json-body.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const object = (keys: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, index])));
const list = (items: number): string => JSON.stringify(Array.from({ length: items }, () => 0));
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('findExcess', () => {
  it.each([
    ['keys', object(JSON_LIMITS.keys)],
    ['items', list(JSON_LIMITS.items)],
    ['levels', nested(JSON_LIMITS.depth)],
    ['levels of objects', `${'{"a":'.repeat(JSON_LIMITS.depth)}1${'}'.repeat(JSON_LIMITS.depth)}`],
  ])('accepts as many %s as the limit says', (_, json) => {
    expect(findExcess(bytes(json))).toBeNull();
  });

  it('accepts more items where the route declares it', () => {
    expect(findExcess(bytes(list(1_000)), 1_000)).toBeNull();
    expect(findExcess(bytes(list(1_001)), 1_000)).toBe('The body lists more than 1000 items.');
  });

  it.each([
    ['more keys', object(JSON_LIMITS.keys + 1), 'The body has more than 100 keys.'],
    ['the same key too often', `{${'"a":1,'.repeat(JSON_LIMITS.keys)}"a":1}`, 'The body has more than 100 keys.'],
    ['keys spread over objects', `[${'{"a":1},'.repeat(70)}${object(40)}]`, 'The body has more than 100 keys.'],
    ['a longer list', list(JSON_LIMITS.items + 1), 'The body lists more than 100 items.'],
    ['many short lists', `{"a":[${'[0,0],'.repeat(60)}[]]}`, 'The body lists more than 100 items.'],
    ['deeper lists', nested(JSON_LIMITS.depth + 1), 'The body is nested deeper than 8 levels.'],
    ['lists that never end', '['.repeat(5_000), 'The body is nested deeper than 8 levels.'],
    ['deeper objects', `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`, 'The body is nested deeper than 8 levels.'],
  ])('refuses %s', (_, json, excess) => {
    expect(findExcess(bytes(json))).toBe(excess);
  });

  it('ignores the characters of structure inside of strings', () => {
    const text = String.raw`[[[[[[[[[[{"a":1,"b":2}\"\\`;
    expect(findExcess(bytes(JSON.stringify({ [text]: text.repeat(200), b: '\\' })))).toBeNull();
    expect(findExcess(bytes(`{"a\\\\":[${'0,'.repeat(200)}0]}`))).toBe('The body lists more than 100 items.');
  });

  it('stops reading at the first excess', () => {
    let reads = 0;
    const endless = new Proxy(Buffer.alloc(1_000, '['), {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, target) as unknown;
      },
    });
    findExcess(endless);
    expect(reads).toBe(JSON_LIMITS.depth + 1);
  });
});

describe('createJsonParser', () => {
  const parsed = (json: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request = { routeOptions: { config: {} } } as unknown as FastifyRequest;
      createJsonParser(fastify())(request, Buffer.from(json), (error, value) =>
        error ? reject(error) : resolve(value),
      );
    });

  it('replaces halves of characters, which the database cannot store, and keeps whole ones', async () => {
    const json = String.raw`{"reason":"a\ud800b","deep":[{"\udfff":"\ud83d\ude00"}],"text":"\\ud800","n":1}`;
    const expected = { reason: 'a\ufffdb', deep: [{ '\ufffd': '😀' }], text: String.raw`\ud800`, n: 1 };
    expect(await parsed(json)).toEqual(expected);
  });
});
