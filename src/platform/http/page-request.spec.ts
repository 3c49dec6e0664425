import { expect, it } from '@jest/globals';
import { KnownFieldsPipe } from './known-fields.pipe.js';
import { PageRequest } from './page-request.js';

const read = (p_limit: unknown): Promise<unknown> =>
  new KnownFieldsPipe().transform({ p_limit }, { type: 'body', metatype: PageRequest });

it('reads a page limit as a number or as its text, and refuses every other shape', async () => {
  expect(await read(7)).toEqual({ p_limit: 7 });
  expect(await read('7')).toEqual({ p_limit: 7 });
  for (const limit of [{ toString: 1 }, { valueOf: null }, [7], true, '7x', '', 1.5]) {
    await expect(read(limit)).rejects.toMatchObject({ status: 400 });
  }
});
