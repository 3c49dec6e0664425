import { useSearchParams } from 'react-router-dom';

/** Lines of a page of the statement. */
export const STATEMENT_PAGE = 50;

/** The state of an account's page. It is in the address, so that it can be sent to another auditor. */
export interface AccountView {
  /** The instant of the figures, ISO 8601; null for now. */
  readonly at: string | null;
  /** From 0, the newest lines first. */
  readonly page: number;
  /** Version of the event in detail; null without one. */
  readonly version: number | null;
  readonly showAt: (at: string | null) => void;
  readonly turn: (page: number) => void;
  readonly open: (version: number | null) => void;
}

export function useAccountView(): AccountView {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string | null): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    at: params.get('at'),
    page: wholeNumber(params.get('page')) ?? 0,
    version: wholeNumber(params.get('v')),
    showAt: (at) => set('at', at),
    turn: (page) => set('page', page === 0 ? null : String(page)),
    open: (version) => set('v', version === null ? null : String(version)),
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
