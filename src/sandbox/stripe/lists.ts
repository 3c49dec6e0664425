import { type Params } from './params.js';
import { invalid, noSuch } from './problem.js';

const DEFAULT_LIMIT = 10;
const LARGEST_LIMIT = 100;

interface Listed {
  readonly id: string;
  readonly created?: number;
}

/**
 * One page of a list in Stripe's envelope, selected by the cursors of `params`.
 * @param latest all items that match the caller's filters, latest first
 */
export function pageOf<T extends Listed>(latest: readonly T[], url: string, params: Params): object {
  const limit = params.integer('limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > LARGEST_LIMIT) {
    throw invalid(`Invalid limit: must be between 1 and ${LARGEST_LIMIT}`, { param: 'limit' });
  }
  const startingAfter = params.text('starting_after');
  const endingBefore = params.text('ending_before');
  if (startingAfter !== null && endingBefore !== null) {
    throw invalid('You cannot parameterize both starting_after and ending_before.', { param: 'ending_before' });
  }
  const created = createdFilter(params);
  const all = latest.filter((item) => created(item.created ?? 0));
  if (endingBefore !== null) {
    const end = indexOf(all, endingBefore, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url };
  }
  const start = startingAfter === null ? 0 : indexOf(all, startingAfter, 'starting_after') + 1;
  return { object: 'list', data: all.slice(start, start + limit), has_more: all.length > start + limit, url };
}

function indexOf(all: readonly Listed[], id: string, param: string): number {
  const index = all.findIndex((item) => item.id === id);
  if (index < 0) throw noSuch('object', id, param);
  return index;
}

/** Reads `created=<seconds>` or bounds such as `created[gte]=…`. */
function createdFilter(params: Params): (created: number) => boolean {
  if (!params.hasGroup('created')) {
    const exact = params.integer('created');
    return (created) => exact === null || created === exact;
  }
  const bounds = params.group('created');
  const [gt, gte, lt, lte] = (['gt', 'gte', 'lt', 'lte'] as const).map((name) => bounds?.integer(name) ?? null);
  return (created) =>
    (gt == null || created > gt) &&
    (gte == null || created >= gte) &&
    (lt == null || created < lt) &&
    (lte == null || created <= lte);
}
