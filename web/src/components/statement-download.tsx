import { Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from './button.js';
import { Problem } from './states.js';
import { downloadExport } from '../lib/download-export.js';
import { useDownload } from '../lib/use-download.js';

interface StatementDownloadProps {
  /** The content of the file: 'Every change of your credits'. */
  readonly subject: string;
  readonly address: '/ledger/statement' | '/ledger/earnings-statement';
}

/** Downloads the person's own events with a proof in the public log. Leaving the page ends the download. */
export function StatementDownload({ subject, address }: StatementDownloadProps): React.ReactNode {
  const { busy, failure, start } = useDownload((signal) => downloadExport(address, 'fanvas-statement.ndjson', signal));
  return (
    <section aria-labelledby="statement-heading" className="mt-12 sm:mt-16">
      <h2 id="statement-heading" className="display-sm text-32">
        Statement
      </h2>
      <p className="mt-2 max-w-[62ch] text-16 text-ink-2">
        <span>{subject} in one file, with a proof that our public log has it.</span>{' '}
        <Link to="/audit/verify" className="link">
          Verify it in your browser
        </Link>
        , or with{' '}
        <a href="/ledger/verify-fanvas.mjs" download className="link">
          our verifier
        </a>
        .
      </p>
      <div className="mt-5">
        <Button kind="quiet" busy={busy} busyLabel="Downloading..." onClick={() => void start()}>
          <Download aria-hidden className="size-[18px]" />
          Download my statement with proof
        </Button>
      </div>
      <Problem>{failure !== null && `The statement could not be downloaded. ${failure}`}</Problem>
    </section>
  );
}
