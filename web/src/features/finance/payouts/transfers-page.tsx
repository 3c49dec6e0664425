import { useMutation } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../../components/button.js';
import { Problem } from '../../../components/states.js';
import { useFileChoice } from '../../../components/use-file-choice.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { problemOf } from '../../../lib/problem-of.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { useEscBack } from '../components/use-esc-back.js';
import { useIsAdmin } from '../shell/role.js';
import { PAYOUTS_PATH, reportPath } from './payout-paths.js';
import { counted } from '../../../lib/format.js';
import { refreshPayouts } from './refresh-payouts.js';

/** A file that was chosen. */
interface Chosen {
  readonly name: string;
  readonly text: string;
}

/** /finance/payouts/record: records a report of the bank as paid transfers. */
export default function TransfersPage(): React.ReactNode {
  const isAdmin = useIsAdmin();
  const mayAct = useMayAct();
  useEscBack();
  return (
    <WorkPage
      title="Record transfers"
      back={{ to: PAYOUTS_PATH, label: 'Payouts' }}
      footer="The same file again changes nothing"
    >
      {isAdmin && mayAct ? (
        <TransfersForm />
      ) : (
        <p className="mt-4 text-14 text-ink-2">Only admins record what the bank has paid.</p>
      )}
    </WorkPage>
  );
}

function TransfersForm(): React.ReactNode {
  const id = useId();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [pasted, setPasted] = useState('');
  const navigate = useNavigate();
  const text = chosen?.text ?? pasted;
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  const send = useMutation({
    mutationFn: () => reverifiedRpc('record_transfers', { p_file: text }),
    onSuccess: ({ report_id: reportId }) => void navigate(reportPath(reportId)),
    onSettled: refreshPayouts,
  });
  const choose = async (file: File): Promise<void> => {
    send.reset();
    setChosen({ name: file.name, text: await file.text() });
  };
  const choice = useFileChoice({
    label: 'Report of the bank',
    accept: '.csv,text/csv,text/plain',
    onChoose: (file) => void choose(file),
  });
  return (
    <form
      noValidate
      className="mt-4 max-w-[66ch]"
      onSubmit={(event) => {
        event.preventDefault();
        if (lines > 0 && !send.isPending) send.mutate();
      }}
    >
      <p className="text-14 text-ink-2">
        The report of the bank as CSV, with the columns reference, amount (dollars with two decimals), paid_on
        (2026-11-03) and bank_reference. A wrong line refuses the file; each transfer then has an outcome of its own.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {choice.field}
        <Button onClick={choice.open}>
          <FileUp aria-hidden className="size-4" />
          Choose a file
        </Button>
        {chosen !== null && (
          <p className="flex flex-wrap items-center gap-x-3 text-14 [overflow-wrap:anywhere]">
            <span>
              {chosen.name}, {counted(lines, 'line')}
            </span>
            <button type="button" className="link" onClick={() => setChosen(null)}>
              Remove
            </button>
          </p>
        )}
      </div>
      {chosen === null && (
        <>
          <label htmlFor={`${id}-text`} className="mt-5 block text-14 font-[600]">
            Or paste it
          </label>
          <textarea
            id={`${id}-text`}
            rows={8}
            value={pasted}
            spellCheck={false}
            aria-describedby={`${id}-lines`}
            placeholder="reference,amount,paid_on,bank_reference"
            className="mt-1.5 block w-full resize-y rounded-ctl border border-line-strong bg-bg px-3 py-2 text-14 tabular-nums"
            onChange={(event) => setPasted(event.target.value)}
          />
          <p id={`${id}-lines`} className="mt-1.5 text-13 text-ink-2">
            {counted(lines, 'line')}
          </p>
        </>
      )}
      <Problem>{problemOf(send.error)}</Problem>
      <Button
        type="submit"
        kind="solid"
        className="mt-4"
        disabled={lines === 0}
        busy={send.isPending}
        busyLabel="Recording..."
      >
        Record the transfers
      </Button>
    </form>
  );
}
