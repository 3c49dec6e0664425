import { expect, it } from '@jest/globals';
import { wireFields } from './wire-fields.js';

it('takes the columns in their order, with times as text', () => {
  const row = { id: 7, secret: 'salt', at: new Date('2026-03-10T09:00:00Z'), ended_at: null as Date | null };
  const fields = wireFields(row, ['at', 'ended_at', 'id']);
  expect(Object.entries(fields)).toEqual([
    ['at', '2026-03-10T09:00:00.000Z'],
    ['ended_at', null],
    ['id', 7],
  ]);
});
