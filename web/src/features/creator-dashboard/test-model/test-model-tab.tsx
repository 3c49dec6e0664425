import type { OwnCreator } from '../../../../../src/contract/creators.js';

/** The creator's own model, to try it without cost. */
export function TestModelTab({ creator }: { creator: OwnCreator }): React.ReactNode {
  return (
    <>
      <h2 className="display-sm text-24">Test Model</h2>
      <p className="mt-3 text-14 text-ink-2">{creator.deployment_name ?? creator.lora_id ?? 'No model configured'}</p>
    </>
  );
}
