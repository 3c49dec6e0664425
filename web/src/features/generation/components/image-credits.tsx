import type { GenerationCredits, GenerationView } from '../../../../../src/contract/generation.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { centsText, creditsUsedText } from '../credits-used.js';

/** The earning is recorded soon after the image is finished. */
const ASK_AGAIN_MS = 2_000;
const MOST_QUESTIONS = 5;

/** Which credits a fan's own finished image used, and what it earned its creator. */
export function ImageCredits({ row }: { readonly row: GenerationView }): React.ReactNode {
  const { data } = useRpc(
    'get_own_generation_credits_by_jwt',
    { p_generation_id: row.id },
    {
      refetchInterval: ({ state }) => {
        const unknown = (state.data as GenerationCredits | undefined)?.paid_credits === null;
        return unknown && state.dataUpdateCount < MOST_QUESTIONS ? ASK_AGAIN_MS : false;
      },
    },
  );
  const cents = data?.creator_cents ?? 0;
  return (
    // Two lines high from the start, so that the answer moves nothing.
    <div className="mt-3 min-h-10 border-t border-line pt-4 text-14 text-ink-2">
      <p>{creditsUsedText(data ?? { credits: row.credit_cost, kind: null, paid_credits: null })}</p>
      {cents > 0 && (
        <p>
          This image earned <bdi translate="no">{row.creator_name}</bdi> <span>{centsText(cents)}.</span>
        </p>
      )}
    </div>
  );
}
