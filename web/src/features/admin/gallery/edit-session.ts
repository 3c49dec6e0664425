import {
  GALLERY_MAX_SIZE,
  type AdminGallery,
  type AdminGeneration,
} from '../../../../../src/contract/admin-gallery.js';
import { isSameOrder, mergeGalleries } from './merge-galleries.js';

/** A gallery that an admin edits (creator spec, section 3). Nothing is saved before {@link EditAction} `saved`. */
export interface EditSession {
  /** The gallery as it was loaded or last saved. */
  readonly original: AdminGallery;
  /** The edited list. */
  readonly items: readonly AdminGeneration[];
  /** Ids that are not in the original, in the order in which they were added. */
  readonly added: readonly string[];
}

/** How the list differs from the original. */
export interface EditChanges {
  readonly added: readonly string[];
  readonly removed: readonly AdminGeneration[];
  /** The additions and removals alone do not lead to the order of the list. */
  readonly reordered: boolean;
}

export type EditAction =
  /** Adds an image at the end. One of the original list returns to its place. */
  | { readonly type: 'add'; readonly item: AdminGeneration }
  | { readonly type: 'remove'; readonly id: string }
  /** Moves an image to an index of the list. An index outside of it means its nearest end. */
  | { readonly type: 'move'; readonly id: string; readonly to: number }
  /** Moves an image by some places from where it then is, so that quick repeats add up. */
  | { readonly type: 'shift'; readonly id: string; readonly by: number }
  | { readonly type: 'discard' }
  /** The server has stored the list `sent`, and answered with the gallery. Keeps edits that were made meanwhile. */
  | { readonly type: 'saved'; readonly sent: readonly string[]; readonly gallery: AdminGallery }
  /** Throws the changes away and starts with the gallery that the server has. */
  | { readonly type: 'reload'; readonly gallery: AdminGallery }
  /** Applies the changes of the session to the gallery that another admin has saved. */
  | { readonly type: 'rebase'; readonly gallery: AdminGallery };

/** A session without changes. */
export function startSession(original: AdminGallery): EditSession {
  return { original, items: original.items, added: [] };
}

/** The session after an action (creator spec, section 4). */
export function editSession(session: EditSession, action: EditAction): EditSession {
  switch (action.type) {
    case 'add':
      return add(session, action.item);
    case 'remove':
      return {
        ...session,
        items: session.items.filter(({ id }) => id !== action.id),
        added: session.added.filter((id) => id !== action.id),
      };
    case 'move':
      return withItems(session, moved(session.items, action.id, action.to));
    case 'shift': {
      const from = session.items.findIndex(({ id }) => id === action.id);
      return withItems(session, moved(session.items, action.id, from + action.by));
    }
    case 'discard':
      return startSession(session.original);
    case 'saved':
      return rebased(session, action.sent, action.gallery);
    case 'reload':
      return startSession(action.gallery);
    case 'rebase':
      return rebased(session, idsOf(session.original.items), action.gallery);
  }
}

/** The changes of a session. */
export function changesOf({ original, items, added }: EditSession): EditChanges {
  const inList = new Set(idsOf(items));
  const removed = original.items.filter(({ id }) => !inList.has(id));
  const unmoved = [...idsOf(original.items).filter((id) => inList.has(id)), ...added];
  return { added, removed, reordered: !isSameOrder(unmoved, idsOf(items)) };
}

/** The changes that lead from one version of a gallery to another. */
export function changesBetween(before: AdminGallery, after: AdminGallery): EditChanges {
  const known = new Set(idsOf(before.items));
  const added = idsOf(after.items).filter((id) => !known.has(id));
  return changesOf({ original: before, items: after.items, added });
}

/** Whether there is something to save. */
export function isDirty({ added, removed, reordered }: EditChanges): boolean {
  return added.length > 0 || removed.length > 0 || reordered;
}

/** `2 added, 1 removed, order changed`: only what applies. Empty without changes. */
export function changesText({ added, removed, reordered }: EditChanges): string {
  return [
    added.length > 0 && `${added.length} added`,
    removed.length > 0 && `${removed.length} removed`,
    reordered && 'order changed',
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/**
 * The original positions, from 1, of the images that were moved: the fewest images whose move explains the order.
 */
export function movedFrom({ original, items }: EditSession): ReadonlyMap<string, number> {
  const positions = new Map(original.items.map(({ id }, index) => [id, index + 1]));
  const known = idsOf(items).filter((id) => positions.has(id));
  const unmoved = longestRising(known.map((id) => positions.get(id) ?? 0));
  return new Map(known.filter((_, index) => !unmoved.has(index)).map((id) => [id, positions.get(id) ?? 0] as const));
}

/** Why an image cannot be added; null when it can. */
export function notAddableText(item: AdminGeneration, galleryIsFull: boolean): string | null {
  if (galleryIsFull) return `A gallery holds at most ${GALLERY_MAX_SIZE.toLocaleString('en')} images`;
  switch (item.not_addable) {
    case null:
      return null;
    case 'no_image':
      return 'No image was made';
    case 'hidden':
      return 'The fan has hidden this image';
    case 'set_aside':
      return 'The creator has set this image aside';
    case 'taken_down':
      return 'This image was taken down';
  }
}

/** Ids of a list, in its order. */
export function idsOf(items: readonly AdminGeneration[]): string[] {
  return items.map(({ id }) => id);
}

function add(session: EditSession, item: AdminGeneration): EditSession {
  const { original, items, added } = session;
  if (items.some(({ id }) => id === item.id) || items.length >= GALLERY_MAX_SIZE) return session;
  const index = original.items.findIndex(({ id }) => id === item.id);
  if (index === -1) return { ...session, items: [...items, item], added: [...added, item.id] };
  // Behind the nearest image that precedes it in the original.
  const before = new Set(idsOf(original.items.slice(0, index)));
  const at = items.findLastIndex(({ id }) => before.has(id)) + 1;
  return { ...session, items: items.toSpliced(at, 0, original.items[index] ?? item) };
}

/** The same session when the list stays as it is. */
function withItems(session: EditSession, items: EditSession['items']): EditSession {
  return items === session.items ? session : { ...session, items };
}

function moved(items: readonly AdminGeneration[], id: string, to: number): readonly AdminGeneration[] {
  const from = items.findIndex((item) => item.id === id);
  const item = items[from];
  const at = Math.min(Math.max(to, 0), items.length - 1);
  if (!item || from === at) return items;
  return items.toSpliced(from, 1).toSpliced(at, 0, item);
}

/** The session with the changes since `base` applied to another gallery. */
function rebased({ items }: EditSession, base: readonly string[], gallery: AdminGallery): EditSession {
  const known = new Map([...items, ...gallery.items].map((item) => [item.id, item]));
  const ids = mergeGalleries(base, idsOf(items), idsOf(gallery.items));
  const inGallery = new Set(idsOf(gallery.items));
  return {
    original: gallery,
    items: ids.flatMap((id) => known.get(id) ?? []),
    added: ids.filter((id) => !inGallery.has(id)),
  };
}

/** Indexes of a longest rising subsequence. */
function longestRising(values: readonly number[]): ReadonlySet<number> {
  /** At `n`: the index of the smallest value that ends a rising sequence of `n + 1` values. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  });
  const rising = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) rising.add(at);
  return rising;
}
