import { useSearchParams } from 'react-router-dom';

/** The state of an account's page. It is in the address, so that it can be sent to another auditor. */
export interface AccountView {
  /** The instant of the figures, ISO 8601; null for now. */
  readonly at: string | null;
  /** Version of the event in detail; null without one. */
  readonly version: number | null;
  readonly showAt: (at: string | null) => void;
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
    version: wholeNumber(params.get('v')),
    showAt: (at) => set('at', at),
    open: (version) => set('v', version === null ? null : String(version)),
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
