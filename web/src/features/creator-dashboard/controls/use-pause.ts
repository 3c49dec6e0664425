import type { OwnCreator } from '../../../../../src/contract/creators.js';
import { toast } from '../../../components/toast.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { problemOf } from '../../../lib/problem-of.js';

/** For the sections of the tab. */
export interface ControlsProps {
  readonly creator: OwnCreator;
  /** Called after an act that changes the creator's page. */
  readonly onPageChange: () => void;
}

export interface PauseControl {
  readonly paused: boolean;
  readonly busy: boolean;
  readonly set: (paused: boolean, onDone?: () => void) => void;
}

/** The creator's pause: shows the new state at once, and the old one again after a failure. */
export function usePause({ creator, onPageChange }: ControlsProps): PauseControl {
  const effect = useRpcEffect(
    'set_creator_paused_by_jwt',
    ['get_creator_by_jwt', 'get_own_consent_by_jwt'],
    onPageChange,
  );
  return {
    paused: effect.isPending ? effect.variables.p_paused : creator.paused_at !== null,
    busy: effect.isPending,
    set: (paused, onDone) =>
      effect.mutate(
        { p_paused: paused },
        {
          onSuccess: () => onDone?.(),
          onError: (error) => {
            toast({
              kind: 'error',
              title: paused ? 'Your page could not be paused.' : 'Your page could not be opened.',
              description: problemOf(error),
            });
          },
        },
      ),
  };
}
