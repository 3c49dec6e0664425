import type { OwnCreator } from '../../../../../src/contract/creators.js';

/** Settings that only the creator changes. */
export function ControlsTab({ creator }: { creator: OwnCreator }): React.ReactNode {
  return <h2 className="display-sm text-24">Controls of {creator.name}</h2>;
}
