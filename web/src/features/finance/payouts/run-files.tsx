import { useId, useState } from 'react';
import type { ListedPayoutFile, PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { Button } from '../../../components/button.js';
import { DownloadButton } from '../../../components/download-button.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcSecond } from '../../../components/work-area/utc.js';
import { downloadExport } from '../../../lib/download-export.js';
import { reverified, reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { dollars } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { PayoutActDialog } from './payout-act-dialog.js';
import { counted } from '../../../lib/format.js';
import { personText, sumOf } from './payout-text.js';
import { Name } from '../../../components/name.js';

/** The files of a checked run for the bank, and the next one. */
export function RunFiles({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const { run_id: p_run_id, number, files: made, working, payouts } = run;
  const title = useId();
  const list = useLinkedPages(
    'list_payout_files',
    { p_run_id },
    { field: 'p_before', rows: ({ files }) => files, timings: liveTimings },
  );
  const { query, rows: files, pages } = list;
  const isWhole = query.data !== undefined && pages.previous === null && pages.next === null;
  const mayAct = useMayAct();
  const isAdmin = useIsAdmin();
  const [making, setMaking] = useState(false);
  const [takingBack, setTakingBack] = useState<ListedPayoutFile | null>(null);
  // The sum of all files is known when they are on one page.
  const inFiles = isWhole ? sumOfDue(files) : { payouts: 0, cents: 0 };
  const unpaid = sumOf(payouts, 'checked');
  const waiting = { payouts: unpaid.payouts - inFiles.payouts, cents: unpaid.cents - inFiles.cents };
  const acts = mayAct && isAdmin && !working;
  return (
    <section aria-labelledby={title} className="mt-10">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h2 id={title} className="display-sm text-24">
          Files for the bank
        </h2>
        {acts && query.data !== undefined && waiting.payouts > 0 && (
          <Button size={32} onClick={() => setMaking(true)}>
            Make file {made + 1}
          </Button>
        )}
      </div>
      <RpcList
        list={list}
        words={loadWords('the files', 'files')}
        empty={
          <p className="-mt-2 text-14 text-ink-2">
            No file was made yet. A file has all checked payouts that can be sent.
            {!isAdmin && ' An admin makes it.'}
          </p>
        }
        under={
          isWhole &&
          files.length > 0 &&
          waiting.payouts > 0 && (
            <p className="mt-3 text-14 tabular-nums text-ink-2">
              In no file yet: {counted(waiting.payouts, 'payout')}, {dollars(waiting.cents)}
            </p>
          )
        }
        blocks={2}
        caption="Files for the bank"
        rowKey={({ file }) => String(file)}
        item={(file) => <FileRow runId={p_run_id} file={file} acts={acts} onTakeBack={() => setTakingBack(file)} />}
        className="mt-2 border-t border-line"
      />
      {making && acts && (
        <PayoutActDialog
          title={`Make file ${made + 1} of run ${number}?`}
          description="The file has every checked payout that no other file has. Creators whose payout details are missing, or changed within 7 days, wait for a later file."
          action="Make the file"
          act={() => reverifiedRpc('make_payout_file', { p_run_id, p_file: made + 1 })}
          done={({ file, payouts: sent, amount_cents: cents }) =>
            `File ${file} has ${counted(sent, 'payout')}, ${dollars(cents)}.`
          }
          onClose={() => setMaking(false)}
        />
      )}
      {takingBack && acts && (
        <PayoutActDialog
          title={`Take back file ${takingBack.file}?`}
          description="Only if it was never sent to the bank: a later file then has its payouts, and the bank would pay them twice."
          action={`Take back file ${takingBack.file}`}
          danger
          asksReason
          act={(p_reason) => reverifiedRpc('take_back_payout_file', { p_run_id, p_file: takingBack.file, p_reason })}
          done={() => `File ${takingBack.file} is taken back.`}
          onClose={() => setTakingBack(null)}
        />
      )}
    </section>
  );
}

function sumOfDue(files: readonly ListedPayoutFile[]): { readonly payouts: number; readonly cents: number } {
  return files.reduce((sum, file) => ({ payouts: sum.payouts + file.due, cents: sum.cents + file.due_cents }), {
    payouts: 0,
    cents: 0,
  });
}

interface FileRowProps {
  readonly runId: string;
  readonly file: ListedPayoutFile;
  readonly acts: boolean;
  readonly onTakeBack: () => void;
}

function FileRow({ runId, file, acts, onTakeBack }: FileRowProps): React.ReactNode {
  const [now] = useState(() => Date.now());
  const { file: number, payouts, amount_cents: cents, due: duePayouts, due_cents: dueCents, made_at: madeAt } = file;
  const takenBack = file.taken_back_at !== null;
  const address = `/exports/payout-file.csv?${new URLSearchParams({ run_id: runId, file: String(number) }).toString()}`;
  return (
    <>
      <div className="min-w-0 flex-1 basis-60">
        <p>
          <span className="font-[560]">File {number}</span>
          <span>
            : {counted(payouts, 'payout')}, {dollars(cents)}
          </span>
        </p>
        <p className="text-13 text-ink-2">
          Made by <Name>{personText(file.made_by, file.made_by_name)}</Name>
          <span>, {formatUtcSecond(madeAt, now)}</span>
        </p>
        {file.taken_back_at !== null && (
          <p className="text-13 text-warn [overflow-wrap:anywhere]">
            Taken back by <Name>{personText(file.taken_back_by, file.taken_back_by_name)}</Name>
            <span>
              , {formatUtcSecond(file.taken_back_at, now)}: “{file.taken_back_reason}”
            </span>
          </p>
        )}
      </div>
      {!takenBack && (
        <p className="text-ink-2">
          {duePayouts === 0 ? 'Nothing is due' : `Still due: ${counted(duePayouts, 'payout')}, ${dollars(dueCents)}`}
        </p>
      )}
      {acts && !takenBack && (
        <div className="flex flex-wrap gap-2">
          {duePayouts === payouts && (
            <Button size={32} aria-label={`Take back file ${number}`} onClick={onTakeBack}>
              Take back...
            </Button>
          )}
          <DownloadButton
            size={32}
            busyLabel="Saving..."
            aria-label={`CSV of file ${number}`}
            load={(signal) => reverified(() => downloadExport(address, `fanvas-payouts-${number}.csv`, signal))}
          >
            CSV
          </DownloadButton>
        </div>
      )}
    </>
  );
}
