import { useLocation, useSearchParams } from 'react-router-dom';
import type { ActFilter } from '../../../../../src/contract/calls/acts.js';
import { actFilterOf } from './act-words.js';

/** Shorter texts are not searched: they have no index. */
export const SHORTEST_SEARCH = 3;
/** Longest text that the server takes. */
export const LONGEST_SEARCH = 200;

const FIELDS = ['who', 'act', 'from', 'to', 'q', 'about'] as const;
type Field = (typeof FIELDS)[number];

/** The part of the log that the page shows. All of it is in the address. */
export interface LogFilter {
  readonly values: Readonly<Record<Field, string | null>>;
  /** The same for the server. */
  readonly request: ActFilter;
  readonly filtered: boolean;
  /** The address of the same page without the filter. */
  readonly unfiltered: string;
  /** Only entries with a lower number; null for the newest page. */
  readonly before: number | null;
  /** Entries on the pages before this one; null when it was opened by a link. */
  readonly skipped: (pageSize: number) => number | null;
  /** The id of the unfolded entry. */
  readonly open: string | null;
  /** Shows the newest entries that match. */
  readonly change: (field: Field, value: string | null) => void;
  readonly unfold: (id: string | null) => void;
  readonly older: (than: number) => void;
  /** The page from which this one was reached, else the newest. */
  readonly newer: () => void;
}

/**
 * The filter in the address. Values that the server would refuse are left out.
 * @param subject limits the log to acts about it, regardless of the address
 */
export function useLogFilter(subject: string | null = null): LogFilter {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const trail = trailOf(location.state);
  const values = {
    who: textOf(params.get('who')),
    act: actFilterOf(params.get('act')),
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
    q: searchOf(params.get('q')),
    about: subject === null ? textOf(params.get('about')) : null,
  };
  const before = numberOf(params.get('before'));

  const goTo = (number: number | null, newer: readonly (number | null)[]): void => {
    const next = new URLSearchParams(params);
    next.delete('open');
    if (number === null) next.delete('before');
    else next.set('before', String(number));
    setParams(next, { state: { newer }, preventScrollReset: true });
  };
  return {
    values,
    request: {
      p_actor_id: values.who,
      p_kind: values.act,
      p_from: values.from && startOf(values.from),
      p_to: values.to && startOf(values.to, 1),
      p_search: values.q,
      p_about: subject ?? values.about,
    },
    filtered: Object.values(values).some((value) => value !== null),
    unfiltered: without(params, [...FIELDS, 'open', 'before']),
    before,
    skipped: (pageSize) => (before === null ? 0 : trail[0] === null ? trail.length * pageSize : null),
    open: params.get('open'),
    change: (field, value) => {
      const next = new URLSearchParams(params);
      next.delete('open');
      next.delete('before');
      if (value === null) next.delete(field);
      else next.set(field, value);
      setParams(next, { replace: true, preventScrollReset: true });
    },
    unfold: (id) => {
      const next = new URLSearchParams(params);
      if (id === null) next.delete('open');
      else next.set('open', id);
      setParams(next, { replace: true, state: location.state as unknown, preventScrollReset: true });
    },
    older: (than) => goTo(than, [...trail, before]),
    newer: () => goTo(trail.at(-1) ?? null, trail.slice(0, -1)),
  };
}

/** The text as it is searched; null when it is too short. */
export function searchOf(text: string | null): string | null {
  const search = text?.trim().slice(0, LONGEST_SEARCH) ?? '';
  return search.length < SHORTEST_SEARCH ? null : search;
}

/** The address with these parameters left out. */
function without(params: URLSearchParams, names: readonly string[]): string {
  return `?${new URLSearchParams([...params].filter(([name]) => !names.includes(name))).toString()}`;
}

function textOf(text: string | null): string | null {
  return text === null || text === '' || text.length > 200 ? null : text;
}

function dayOf(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

/** The first instant, in UTC, of the day that is so many days after this one. */
function startOf(day: string, days = 0): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString();
}

function numberOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** The pages on the way here, the newest first. */
function trailOf(state: unknown): readonly (number | null)[] {
  const newer: unknown = (state as { newer?: unknown } | null)?.newer;
  if (!Array.isArray(newer)) return [];
  return (newer as unknown[]).filter((each): each is number | null => each === null || typeof each === 'number');
}
