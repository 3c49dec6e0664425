const STATES: Readonly<Record<string, string>> = {
  creating: 'Not opened at the processor',
  open: 'Open',
  processing: 'Money on its way',
  credited: 'Credited',
  failed: 'Failed',
  expired: 'Ended unpaid',
};

/** The state of a checkout in words. */
export function checkoutState(status: string): string {
  return STATES[status] ?? status;
}
