import { Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../../../components/button.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useExport } from './use-export.js';

/** /audit/export: all events of the ledger as one signed file, read in pages. */
export default function ExportPage(): React.ReactNode {
  const { state, start, cancel } = useExport();
  const running = state.kind === 'running';
  useKeys([{ keys: ['E'], label: 'Export', run: () => void (running ? undefined : start()) }]);
  return (
    <WorkPage title="Export" footer="Read only. Each export is in the log of the app, with who asked for it">
      <div className="mt-4 max-w-[64ch] text-16">
        <p className="text-ink-2">
          All events of the ledger in one file, a line each, ended by a signed manifest. It holds opaque IDs, and the
          reasons that admins have written, which are free text. The verifier recomputes every balance and every
          creator’s cents from it.
        </p>
        <div className="mt-6 flex flex-wrap items-center gap-3">
          <Button kind="solid" busy={running} busyLabel="Exporting..." onClick={() => void start()}>
            <Download aria-hidden className="size-[18px]" />
            Export all events
          </Button>
          {running && <Button onClick={cancel}>Cancel</Button>}
        </div>
        <p role="status" className="mt-4 text-14 tabular-nums text-ink-2 empty:hidden">
          {state.kind === 'running' && `${state.lines.toLocaleString('en-US')} lines so far`}
          {state.kind === 'done' && `Done: ${state.lines.toLocaleString('en-US')} lines in ${state.name}.`}
        </p>
        {state.kind === 'failed' && (
          <p role="alert" className="mt-4 text-14 text-bad">
            The export has ended early. {state.reason} Nothing was saved.
          </p>
        )}
        {state.kind === 'done' && state.missing.length > 0 && (
          <p role="alert" className="mt-4 text-14 text-bad">
            Not in the file, because the event store has deleted their events: {state.missing.join(', ')}.
          </p>
        )}
        <ul className="mt-10 text-14">
          {LINKS.map(({ href, text }) => (
            <li key={href} className="border-t border-line py-3">
              <a className="link font-[560]" href={href}>
                {href}
              </a>
              <span className="block text-ink-2">{text}</span>
            </li>
          ))}
          <li className="border-t border-line py-3">
            <Link className="link font-[560]" to="/audit/verify">
              Verify a file in this browser
            </Link>
            <span className="block text-ink-2">The file stays on your machine.</span>
          </li>
        </ul>
      </div>
    </WorkPage>
  );
}

const LINKS = [
  {
    href: '/ledger/public-key.pem',
    text: 'The key of exports and seals. Compare its fingerprint over a second channel.',
  },
  { href: '/ledger/key-rotations.ndjson', text: 'Every replacement of the key, signed by the old and the new one.' },
  { href: '/ledger/checkpoint', text: 'The last checkpoint of the public log.' },
  { href: '/ledger/verify-fanvas.mjs', text: 'The verifier: one file, no dependencies, runs with Node alone.' },
] as const;
