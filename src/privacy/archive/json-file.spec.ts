import { describe, expect, it } from '@jest/globals';
import { writeJson, type JsonFile } from './json-file.js';

async function* pages(...all: object[][]): AsyncGenerator<object[]> {
  yield* all;
}

async function written(file: JsonFile): Promise<string> {
  let text = '';
  for await (const chunk of writeJson(file)) {
    // The ZIP library takes an empty chunk for the end of the file.
    expect(chunk).not.toBe('');
    text += chunk;
  }
  return text;
}

describe('writeJson', () => {
  it('joins the pages of each list', async () => {
    const lists = { events: pages([{ a: 1 }, { a: 2 }], [{ a: 3 }]), others: pages([{ b: '"' }]) };
    expect(JSON.parse(await written({ lists }))).toEqual({
      events: [{ a: 1 }, { a: 2 }, { a: 3 }],
      others: [{ b: '"' }],
    });
  });

  it('writes empty lists', async () => {
    expect(JSON.parse(await written({ lists: { events: pages(), others: pages() } }))).toEqual({
      events: [],
      others: [],
    });
  });

  it('adds values that are known only after the lists were read', async () => {
    let rows = 0;
    async function* counted(): AsyncGenerator<object[]> {
      for await (const page of pages([{ a: 1 }], [{ a: 2 }])) {
        rows += page.length;
        yield page;
      }
    }
    const text = await written({ lists: { events: counted() }, values: () => ({ rows, none: null }) });
    expect(JSON.parse(text)).toEqual({ events: [{ a: 1 }, { a: 2 }], rows: 2, none: null });
  });
});
