import { useMutation } from '@tanstack/react-query';
import { Download, RefreshCw } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { Button, ButtonLink } from '../../../components/button.js';
import { Acts, useMayAct } from '../../../components/work-area/acts.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { callRpc } from '../../../lib/api.js';
import { problemOf } from '../../../lib/problem-of.js';
import { refreshRpc } from '../../../lib/use-rpc.js';

interface RunActionsProps {
  /** A run waits or is in progress. */
  readonly running: boolean;
}

/** Starts a full verification, and leads to the signed export. */
export function RunActions({ running }: RunActionsProps): React.ReactNode {
  const navigate = useNavigate();
  const mayAct = useMayAct();
  const request = useMutation({
    mutationFn: () => callRpc('request_ledger_verification', {}),
    onSettled: () => refreshRpc('list_verification_runs'),
  });
  const busy = running || request.isPending;
  const start = (): void => {
    if (!busy) request.mutate();
  };
  useKeys([
    ...(mayAct ? [{ keys: ['V'], label: 'Verify again', run: start }] : []),
    { keys: ['E'], label: 'Export', run: () => void navigate('/audit/export') },
  ]);
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Acts>
        <Button kind="solid" busy={busy} busyLabel="Verifying..." onClick={start}>
          <RefreshCw aria-hidden className="size-4" />
          Verify again
        </Button>
      </Acts>
      <ButtonLink to="/audit/export">
        <Download aria-hidden className="size-4" />
        Signed export
      </ButtonLink>
      {request.error !== null && (
        <p role="alert" className="w-full text-14 text-bad">
          {problemOf(request.error)}
        </p>
      )}
    </div>
  );
}
