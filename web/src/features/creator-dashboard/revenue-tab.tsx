import type { OwnCreator } from '../../../../src/contract/creators.js';

/** Earnings of the creator. */
export function RevenueTab({ creator }: { creator: OwnCreator }): React.ReactNode {
  return <h2 className="display-sm text-24">Revenue of {creator.name}</h2>;
}
