import type { TaxStatus } from '../../../../../src/contract/creators.js';

export const TAX_STATUSES: Record<TaxStatus, string> = {
  us_person: 'Person in the United States, for tax',
  foreign_person: 'Person outside the United States, for tax',
  business: 'Business',
};
