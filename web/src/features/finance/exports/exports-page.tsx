import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { downloadExport } from '../../../lib/download-export.js';
import { useDownload } from '../../../lib/use-download.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { addMonths, monthOf, monthsPeriod } from '../finance-text.js';

/** /finance/exports: the general journal of a period, as accounting programs import it. */
export default function ExportsPage(): React.ReactNode {
  // The server knows the current month.
  const { data } = useRpc('list_revenue_months', { p_limit: 1 });
  return (
    <WorkPage title="Exports" footer="The other views have a CSV button of their own: it saves what they show">
      <section aria-labelledby="journal-title" className="mt-6 max-w-[560px]">
        <h2 id="journal-title" className="display-sm text-24">
          General journal
        </h2>
        <p className="mt-2 text-14 text-ink-2">
          All entries with money in a period, a line each, as accounting programs import them. Lines with the same entry
          belong together and sum to zero. Each line has the ids of its purchase, image, creator and refund.
        </p>
        <JournalForm key={data?.at} lastMonth={data === undefined ? null : addMonths(monthOf(data.at), -1)} />
      </section>
    </WorkPage>
  );
}

/** @param props `lastMonth`: the period that the form begins with; null: none */
function JournalForm({ lastMonth }: { readonly lastMonth: string | null }): React.ReactNode {
  const period = lastMonth === null ? null : monthsPeriod(lastMonth);
  const [from, setFrom] = useState(period?.from.slice(0, 10) ?? '');
  const [to, setTo] = useState(period?.to.slice(0, 10) ?? '');
  const query = new URLSearchParams({ from: from.trim(), to: to.trim() }).toString();
  const { busy, failure, start } = useDownload((signal) =>
    downloadExport(`/exports/journal.csv?${query}`, 'fanvas-journal.csv', signal),
  );
  useKeys([{ keys: ['E'], label: 'CSV', run: () => void start() }]);
  // The sentence about the end names it; all others are shown at the beginning.
  const atEnd = failure !== null && (failure.startsWith('to ') || failure.includes('must not end'));
  return (
    <form
      className="mt-4 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="From, UTC"
          hint="A day, or a time such as 2026-10-01T00:00:00Z"
          value={from}
          maxLength={40}
          autoComplete="off"
          error={failure !== null && !atEnd ? failure : undefined}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label="To, UTC"
          hint="Not included"
          value={to}
          maxLength={40}
          autoComplete="off"
          error={atEnd ? failure : undefined}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <Button type="submit" kind="solid" busy={busy} busyLabel="Downloading..." className="w-fit">
        <Download aria-hidden className="size-4" />
        Journal as CSV
      </Button>
    </form>
  );
}
