import { type Type as ClassOf, ValidationPipe } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { GalleryOrderRequest } from '../../contract/calls/admin-gallery.js';
import { CreatorsRequest } from '../../contract/calls/applications.js';
import { CancelRunRequest } from '../../contract/calls/payouts.js';
import { PageRequest } from '../../contract/calls/shared.js';
import { ApiError } from './api-error.js';
import { KnownFieldsPipe } from './known-fields.pipe.js';

class NamedPage extends PageRequest {
  @IsOptional()
  @IsString()
  @MaxLength(10)
  p_name?: string;
}

class Outer extends PageRequest {
  @IsIn(['up', 'down'], { message: 'p_way must be up or down' })
  p_way!: string;

  @ValidateNested()
  @Type(() => NamedPage)
  p_inner!: NamedPage;
}

const body = { type: 'body', metatype: NamedPage } as const;

describe('KnownFieldsPipe', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('passes on the declared fields of the class and its parents, and no other', async () => {
    const inner = jest.spyOn(ValidationPipe.prototype, 'transform');
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, index]));
    const dto = await new KnownFieldsPipe().transform({ ...unknown, p_limit: '5', p_name: 'a', toString: 1 }, body);
    expect(inner.mock.calls[0]?.[0]).toEqual({ p_limit: '5', p_name: 'a' });
    expect(dto).toBeInstanceOf(NamedPage);
    expect(dto).toEqual({ p_limit: 5, p_name: 'a' });
  });

  it('reads ids with lower-case letters, as rows have them, because acts keep them as texts', async () => {
    const id = '019A5C7E-1B2D-7F00-8A90-AB12CD34EF56';
    const read = async (value: object, metatype: ClassOf): Promise<unknown> =>
      new KnownFieldsPipe().transform(value, { type: 'body', metatype });
    const lower = id.toLowerCase();
    expect(await read({ p_run_id: id, p_reason: 'A' }, CancelRunRequest)).toEqual({ p_run_id: lower, p_reason: 'A' });
    expect(await read({ p_creator_id: id, p_gallery_order: [id] }, GalleryOrderRequest)).toEqual({
      p_creator_id: lower,
      p_gallery_order: [lower],
    });
    expect(await read({ p_state: 'active', p_after: id }, CreatorsRequest)).toMatchObject({ p_after: lower });
    for (const wrong of [7, 'x', [id], null]) {
      await expect(read({ p_run_id: wrong, p_reason: 'A' }, CancelRunRequest)).rejects.toThrow(ApiError);
    }
  });

  it('treats null as absent where a field is optional, and refuses it elsewhere', async () => {
    expect(await new KnownFieldsPipe().transform({ p_limit: null, p_name: null }, body)).toEqual({});
    const other = new KnownFieldsPipe().transform({ p_way: null, p_inner: {} }, { type: 'body', metatype: Outer });
    await expect(other).rejects.toMatchObject({ status: 400, details: 'p_way must be up or down' });
  });

  it.each([[{ p_name: 'too long a name' }], [[{ p_name: 'a' }]], ['text'], [7]])('refuses %j', async (value) => {
    await expect(new KnownFieldsPipe().transform(value, body)).rejects.toThrow(ApiError);
  });

  it('names the fields in our words, keeps the sentences of our rules, and shows none of class-validator', async () => {
    const refusal = new KnownFieldsPipe().transform(
      { p_inner: { p_name: 7 }, p_way: 'x', p_limit: 'x' },
      {
        type: 'body',
        metatype: Outer,
      },
    );
    await expect(refusal).rejects.toMatchObject({
      status: 400,
      code: '22023',
      message: 'The request is not valid.',
      details: 'p_way must be up or down; Missing or not valid: p_inner.p_name, p_limit',
    });
  });

  it('reads a page limit as a number or as its text, and refuses every other shape', async () => {
    const read = (p_limit: unknown): Promise<unknown> => new KnownFieldsPipe().transform({ p_limit }, body);
    expect(await read(7)).toEqual({ p_limit: 7 });
    expect(await read('7')).toEqual({ p_limit: 7 });
    for (const limit of [{ toString: 1 }, { valueOf: null }, [7], true, '7x', '', 1.5]) {
      await expect(read(limit)).rejects.toMatchObject({ status: 400 });
    }
  });

  it('treats a missing body as an empty one', async () => {
    expect(await new KnownFieldsPipe().transform(undefined, body)).toEqual({});
  });

  it('leaves parameters without a class alone', async () => {
    expect(await new KnownFieldsPipe().transform('1', { type: 'param', metatype: String, data: 'id' })).toBe('1');
    const query = { a: '1' };
    expect(await new KnownFieldsPipe().transform(query, { type: 'query', metatype: Object })).toBe(query);
  });
});
