import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { RpcName, RpcRequest, RpcResponse } from '../../../../src/contract/calls.js';
import { useRpc, type QueryTimings } from '../../lib/use-rpc.js';
import { pageText, type Pages } from '../pagination.js';

/** A page of a list that a call answers, with the ways to the others. */
export interface ListPage<Name extends RpcName, Row> {
  readonly query: ReturnType<typeof useRpc<Name>>;
  /** Empty until they are loaded. */
  readonly rows: readonly Row[];
  /** Number of the rows of all pages, as far as the answer has it. */
  readonly total: number;
  readonly isFirst: boolean;
  readonly pages: Pages;
}

type RowOf<Name extends RpcName> = RpcResponse<Name> extends readonly (infer Row)[] ? Row : never;

interface NumberedOptions<Request> {
  readonly timings?: QueryTimings;
  /** The page, from 1, and the way to another one, where they are in the address. */
  readonly at?: readonly [page: number, goTo: (page: number, options?: { readonly replace: true }) => void];
  /** The request for the first page, where another part of the page asks the same. */
  readonly first?: Request | undefined;
}

/** A list in pages of `size` rows, with their number if the rows say it. Another request begins at the first page. */
export function useNumberedPages<Name extends RpcName>(
  name: Name,
  request: Omit<RpcRequest<Name>, 'p_limit' | 'p_offset'>,
  size: number,
  { timings, at, first }: NumberedOptions<RpcRequest<Name>> = {},
): ListPage<Name, RowOf<Name>> {
  const [own, setOwn] = useOfRequest(request, 1);
  const [page, goTo] = at ?? [own, setOwn];
  const limited = { ...request, p_limit: size, p_offset: (page - 1) * size } as RpcRequest<Name>;
  const query = useRpc(name, page === 1 && first !== undefined ? first : limited, timings);
  const rows = (query.data ?? []) as readonly RowOf<Name>[];
  const total = (rows[0] as { readonly total_count?: number } | undefined)?.total_count;
  // The last row of this page has gone, or the address is an old one.
  const isPastLast = query.data !== undefined && !query.isPlaceholderData && rows.length === 0 && page > 1;
  const hadRows = useRef(false);
  useEffect(() => {
    if (rows.length > 0) hadRows.current = true;
    if (isPastLast) goTo(hadRows.current ? page - 1 : 1, { replace: true });
  });
  const pages = total === undefined ? undefined : Math.ceil(total / size);
  const isLast = pages === undefined ? rows.length < size : page >= pages;
  return {
    query,
    rows,
    total: total ?? 0,
    isFirst: page === 1,
    pages: {
      previous: page === 1 ? null : () => goTo(page - 1),
      next: isLast ? null : () => goTo(page + 1),
      ...(pages !== undefined && pages > 1 && { text: pageText(page, pages) }),
    },
  };
}

/** An answer that names the beginning of its next page. */
interface Continued<Cursor> {
  readonly next: Cursor | null;
}

interface LinkedOptions<Answer, Row> {
  /** The field of the request for the beginning of a page. */
  readonly field: 'p_after' | 'p_before';
  readonly rows: (answer: Answer) => readonly Row[];
  readonly timings?: QueryTimings;
  /** The parameter of the address with the beginning of the page. Without it, an address has the first page only. */
  readonly param?: string;
  /** The way back leads to the first page at once. */
  readonly toFirst?: boolean;
}

/** A list whose answers name the beginning of the next page. Another request begins at the first page. */
export function useLinkedPages<Name extends RpcName, Row>(
  name: Name,
  request: Omit<RpcRequest<Name>, 'p_after' | 'p_before'>,
  { field, rows, timings, param, toFirst = false }: LinkedOptions<RpcResponse<Name>, Row>,
): ListPage<Name, Row> {
  const [params, setParams] = useSearchParams();
  // The beginnings of the pages on the way here, this one included.
  const [trail, setTrail] = useOfRequest<readonly unknown[]>(request, []);
  const cursor = param === undefined ? (trail.at(-1) ?? null) : params.get(param);
  // An address that was opened, or the browser's own way back, has another way.
  const way = cursor === null ? [] : [...trail.slice(0, trail.indexOf(cursor)), cursor];
  const query = useRpc(
    name,
    { ...request, ...(cursor === null ? {} : { [field]: cursor }) } as RpcRequest<Name>,
    timings,
  );
  const next = (query.data as Continued<unknown> | undefined)?.next ?? null;
  const goTo = (to: readonly unknown[]): void => {
    setTrail(to);
    if (param === undefined) return;
    setParams((before) => {
      const changed = new URLSearchParams(before);
      changed.delete('open');
      if (to.length === 0) changed.delete(param);
      else changed.set(param, String(to.at(-1)));
      return changed;
    });
    document.getElementById('main')?.focus();
  };
  return {
    query,
    total: 0,
    isFirst: cursor === null,
    rows: query.data === undefined ? [] : rows(query.data),
    pages: {
      previous: cursor === null ? null : () => goTo(toFirst ? [] : way.slice(0, -1)),
      next: next === null ? null : () => goTo([...way, next]),
    },
  };
}

/** A state that begins again with another request. */
function useOfRequest<Value>(request: object, first: Value): readonly [Value, (value: Value) => void] {
  const key = JSON.stringify(request);
  const [kept, setKept] = useState({ key, value: first });
  return [kept.key === key ? kept.value : first, (value) => setKept({ key, value })];
}
