import { useAddress } from '../../../components/work-area/use-address.js';

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
  const [at, showAt] = useAddress('at', true);
  const [version, open] = useAddress('v', true);
  return {
    at: instant(at),
    version: wholeNumber(version),
    showAt,
    open: (opened) => open(opened === null ? null : String(opened)),
  };
}

function instant(text: string | null): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
