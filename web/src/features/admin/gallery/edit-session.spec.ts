import { describe, expect, it } from '@jest/globals';
import type { AdminGallery, AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import { adminGeneration } from '../../../../test/rows.js';
import { changesOf, changesText, editSession, idsOf, isDirty, movedFrom, startSession } from './edit-session.js';
import type { EditAction, EditSession } from './edit-session.js';

const item = (id: string): AdminGeneration => adminGeneration({ id, prompt: `prompt ${id}`, in_gallery: true });
const gallery = (ids: string, version = 1): AdminGallery => ({
  creator_id: 'c1',
  version,
  saved_at: null,
  saved_by: null,
  items: [...ids].map(item),
});
const start = (ids: string): EditSession => startSession(gallery(ids));
const after = (session: EditSession, ...actions: EditAction[]): EditSession => actions.reduce(editSession, session);
const order = ({ items }: EditSession): string => idsOf(items).join('');
const summary = (session: EditSession): string => changesText(changesOf(session));
const dirty = (session: EditSession): boolean => isDirty(changesOf(session));

describe('editSession', () => {
  it('[C4.18] adds an image at the end, once', () => {
    const session = after(start('abc'), { type: 'add', item: item('x') }, { type: 'add', item: item('x') });
    expect(order(session)).toBe('abcx');
    expect(summary(session)).toBe('1 added');
  });

  it('[C4.18] an image that is in the gallery is not added again', () => {
    const session = after(start('abc'), { type: 'add', item: item('b') });
    expect(order(session)).toBe('abc');
    expect(dirty(session)).toBe(false);
  });

  it('[C4.18] removes an image', () => {
    const session = after(start('abc'), { type: 'remove', id: 'b' });
    expect(order(session)).toBe('ac');
    expect(summary(session)).toBe('1 removed');
  });

  it('[C4.18] moves an image', () => {
    const session = after(start('abc'), { type: 'move', id: 'c', to: 0 });
    expect(order(session)).toBe('cab');
    expect(summary(session)).toBe('order changed');
  });

  it('[C3.08] holds the list, the original and the changes', () => {
    const session = after(start('abc'), { type: 'add', item: item('x') }, { type: 'remove', id: 'a' });
    expect(order(session)).toBe('bcx');
    expect(idsOf(session.original.items)).toEqual(['a', 'b', 'c']);
    expect(changesOf(session)).toMatchObject({ added: ['x'], removed: [{ id: 'a' }], reordered: false });
  });

  it('[C4.19] counts no change when an image was moved and moved back', () => {
    const session = after(start('abc'), { type: 'move', id: 'c', to: 0 }, { type: 'move', id: 'c', to: 2 });
    expect(changesOf(session).reordered).toBe(false);
    expect(dirty(session)).toBe(false);
  });

  it('[C4.19] counts a changed order when an added image was moved', () => {
    const session = after(start('abc'), { type: 'add', item: item('x') }, { type: 'move', id: 'x', to: 0 });
    expect(summary(session)).toBe('1 added, order changed');
  });

  it('an added image that is removed again is no change', () => {
    expect(dirty(after(start('abc'), { type: 'add', item: item('x') }, { type: 'remove', id: 'x' }))).toBe(false);
  });

  it('puts a removed image back to its place', () => {
    const removed = after(start('abcd'), { type: 'remove', id: 'c' });
    expect(dirty(after(removed, { type: 'add', item: item('c') }))).toBe(false);
    const neighbours = after(removed, { type: 'remove', id: 'b' }, { type: 'add', item: item('c') });
    expect(order(neighbours)).toBe('acd');
  });

  it('moves to the nearest end for a position outside of the list', () => {
    expect(order(after(start('abc'), { type: 'move', id: 'a', to: 99 }))).toBe('bca');
    expect(order(after(start('abc'), { type: 'move', id: 'c', to: -5 }))).toBe('cab');
    expect(order(after(start('abc'), { type: 'move', id: 'x', to: 0 }))).toBe('abc');
    const session = start('abc');
    expect(after(session, { type: 'shift', id: 'a', by: -1 })).toBe(session);
    expect(after(session, { type: 'shift', id: 'x', by: 1 })).toBe(session);
  });

  it('moves an image by places from where it then is', () => {
    const down = { type: 'shift', id: 'a', by: 1 } as const;
    expect(order(after(start('abcd'), down, down))).toBe('bcad');
    expect(order(after(start('abcd'), down, down, { ...down, by: -1 }))).toBe('bacd');
    expect(order(after(start('abcd'), { ...down, by: 9 }))).toBe('bcda');
  });

  it('[C4.21] a discard restores the original list', () => {
    const session = after(
      start('abc'),
      { type: 'add', item: item('x') },
      { type: 'move', id: 'b', to: 0 },
      { type: 'remove', id: 'a' },
      { type: 'discard' },
    );
    expect(order(session)).toBe('abc');
    expect(dirty(session)).toBe(false);
  });

  it('[C4.20] a save makes the answer the original', () => {
    const session = after(
      start('abc'),
      { type: 'move', id: 'b', to: 0 },
      { type: 'saved', sent: [...'bac'], gallery: gallery('bac', 2) },
    );
    expect(session.original.version).toBe(2);
    expect(order(session)).toBe('bac');
    expect(dirty(session)).toBe(false);
  });

  it('keeps an edit that was made while the list was saved', () => {
    const session = after(
      start('abc'),
      { type: 'add', item: item('x') },
      { type: 'remove', id: 'a' },
      { type: 'saved', sent: [...'abcx'], gallery: gallery('abcx', 2) },
    );
    expect(order(session)).toBe('bcx');
    expect(summary(session)).toBe('1 removed');
  });

  it('replaces the changes by the gallery of the server when the admin takes it', () => {
    const session = after(start('abc'), { type: 'remove', id: 'a' }, { type: 'reload', gallery: gallery('cb', 3) });
    expect(order(session)).toBe('cb');
    expect(dirty(session)).toBe(false);
  });

  it('a gallery that holds 1,000 images takes no more', () => {
    const full = startSession({
      ...gallery(''),
      items: Array.from({ length: 1000 }, (_, index) => item(String(index))),
    });
    expect(after(full, { type: 'add', item: item('x') }).items).toHaveLength(1000);
  });

  it('rebases both sets of changes on the gallery that was saved meanwhile', () => {
    const mine = after(start('abc'), { type: 'add', item: item('x') }, { type: 'remove', id: 'a' });
    const session = after(mine, { type: 'rebase', gallery: gallery('abcy', 7) });
    expect(order(session)).toBe('bcxy');
    expect(session.original.version).toBe(7);
    expect(summary(session)).toBe('1 added, 1 removed, order changed');
  });
});

describe('movedFrom', () => {
  it('marks the image that was moved and not those that made room', () => {
    expect([...movedFrom(after(start('abcde'), { type: 'move', id: 'e', to: 2 }))]).toEqual([['e', 5]]);
    expect([...movedFrom(after(start('abcde'), { type: 'move', id: 'a', to: 4 }))]).toEqual([['a', 1]]);
  });

  it('marks none when images were only added and removed', () => {
    const session = after(start('abc'), { type: 'remove', id: 'a' }, { type: 'add', item: item('x') });
    expect(movedFrom(session).size).toBe(0);
  });
});
