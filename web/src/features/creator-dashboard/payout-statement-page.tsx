import { useParams } from 'react-router-dom';
import type { PayoutStatement } from '../../../../src/contract/payouts.js';
import { ButtonLink } from '../../components/button.js';
import { DownloadButton } from '../../components/download-button.js';
import { EmptyState } from '../../components/states.js';
import { ApiError } from '../../lib/api-error.js';
import { downloadExport } from '../../lib/download-export.js';
import { counted, formatShortDate } from '../../lib/format.js';
import { ownDataTimings } from '../../lib/own-data-timings.js';
import { useRpc } from '../../lib/use-rpc.js';
import {
  Fact,
  Line,
  StatementFailure,
  StatementHead,
  StatementLoading,
  StatementNotes,
} from './components/statement-sheet.js';
import { countryName } from './controls/countries.js';
import { formatDay } from './dates.js';
import { count, money } from './money.js';
import { lastDayBefore, payoutStateText } from './payout-words.js';
import { Name } from '../../components/name.js';

/** The self-billed statement of a payout as a printable page, for its creator, admins and finance. */
export default function PayoutStatementPage(): React.ReactNode {
  const { payoutId = '' } = useParams();
  const statement = useRpc('get_payout_statement', { p_payout_id: payoutId }, ownDataTimings);
  return (
    <div data-print className="wrap pt-1 sm:pt-3">
      <title>Payout statement · Fanvas</title>
      <Content query={statement} />
    </div>
  );
}

function Content({ query }: { readonly query: ReturnType<typeof useRpc<'get_payout_statement'>> }): React.ReactNode {
  if (query.data) return <Sheet statement={query.data} />;
  if (!query.isError) return <StatementLoading />;
  const { error } = query;
  if (!(error instanceof ApiError && (error.status === 400 || error.status === 403))) {
    return <StatementFailure query={query} />;
  }
  return (
    <EmptyState
      title="There is no such statement"
      className="mt-8"
      action={<ButtonLink to="/creator">Back to the dashboard</ButtonLink>}
    >
      A payout has a statement once its amount is final. Only its creator and Fanvas can read it.
    </EmptyState>
  );
}

function Sheet({ statement }: { readonly statement: PayoutStatement }): React.ReactNode {
  const { recipient, creator_name: name, creator_id: id, number, run_number: run, from, cutoff } = statement;
  return (
    <article>
      <StatementHead kind="Self-billed payout statement" title={money(statement.amount_cents)} own={recipient !== null}>
        <CsvButton payoutId={statement.payout_id} />
      </StatementHead>
      <dl className="mt-6 grid gap-x-8 gap-y-3 text-14 sm:grid-cols-2 lg:grid-cols-3">
        <Fact label="Statement number">{number}</Fact>
        <Fact label="Payout run">{run === null ? 'Not known' : count(run)}</Fact>
        <Fact label="Period">
          {from === null ? 'From the first earning' : formatDay(from)} to {lastDayBefore(cutoff)} (UTC)
        </Fact>
        <Fact label="Issued by">Fanvas, on behalf of the creator</Fact>
        <Fact label="Issued on">{formatShortDate(statement.fixed_at, new Date(0), 'UTC')} UTC</Fact>
        <Fact label="Issued to">
          <span translate="no">{recipient === null ? (name ?? 'No creator any more') : recipient.legal_name}</span>
          {recipient !== null && (
            <span className="block text-ink-2">
              {countryName(recipient.country)}. Account ending {recipient.account_ending}
            </span>
          )}
        </Fact>
        {recipient !== null && (
          <Fact label="Creator">
            <span translate="no">{name}</span>
          </Fact>
        )}
        <Fact label="Creator ID">
          <Name>{id}</Name>
        </Fact>
      </dl>
      <Sums statement={statement} />
      <Transfer statement={statement} />
      <Notes isOwn={recipient !== null} />
    </article>
  );
}

function CsvButton({ payoutId }: { readonly payoutId: string }): React.ReactNode {
  const address = `/exports/payout-statement.csv?${new URLSearchParams({ payout_id: payoutId }).toString()}`;
  return (
    <DownloadButton kind="quiet" load={(signal) => downloadExport(address, 'fanvas-statement.csv', signal)}>
      CSV
    </DownloadButton>
  );
}

function Sums({ statement }: { readonly statement: PayoutStatement }): React.ReactNode {
  const { earnings, corrections, restorations, previous_number: previous } = statement;
  return (
    <section aria-labelledby="statement-sums" className="mt-10 max-w-2xl">
      <h2 id="statement-sums" className="display-sm text-32">
        How the amount is made
      </h2>
      <dl className="mt-3 text-16">
        <Line label={previous === null ? 'Opening balance' : 'Opening balance: the amount of the statement before'}>
          {money(statement.opening_cents)}
        </Line>
        <Line label={`Earnings that became payable, ${counted(earnings.count, 'picture')}`}>
          {money(earnings.cents)}
        </Line>
        <Line label={`Taken back, ${counted(corrections.count, 'correction')}`}>{money(corrections.cents)}</Line>
        <Line label={`Given back, ${counted(restorations.count, 'restoration')}`}>{money(restorations.cents)}</Line>
        <Line label="Paid since the statement before">{money(0 - statement.paid_cents)}</Line>
        <Line label="Amount of this payout" sum>
          {money(statement.amount_cents)}
        </Line>
      </dl>
    </section>
  );
}

function Transfer({ statement }: { readonly statement: PayoutStatement }): React.ReactNode {
  const { number, bank_reference: bank, previous_number: previous } = statement;
  return (
    <section aria-labelledby="statement-transfer" className="mt-12 break-inside-avoid">
      <h2 id="statement-transfer" className="display-sm text-32">
        The transfer
      </h2>
      <dl className="mt-3 grid gap-x-8 gap-y-3 text-14 sm:grid-cols-2 lg:grid-cols-3">
        <Fact label="State">{payoutStateText(statement)}</Fact>
        <Fact label="Our reference">{number}</Fact>
        {bank !== null && <Fact label="The bank's reference">{bank}</Fact>}
        {previous !== null && <Fact label="Statement before">{previous}</Fact>}
      </dl>
    </section>
  );
}

function Notes({ isOwn }: { readonly isOwn: boolean }): React.ReactNode {
  return (
    <StatementNotes title="About this statement">
      <li>
        Self-billing: Fanvas issues this document in the name and on behalf of the creator. It takes the place of an
        invoice from the creator for this payout.
      </li>
      <li>No tax is computed here. The creator is responsible for taxes on this amount.</li>
      <li>
        An earning becomes payable 30 days after the picture. &quot;Taken back&quot; are halves of purchases that were
        refunded or charged back; &quot;given back&quot; are those that were paid or won after all.
      </li>
      <li>The figures never change. What is corrected later is in a later statement.</li>
      {isOwn && <li>Name, country and account are those of the payout details as they are now.</li>}
      <li>Amounts are US dollars; days are UTC.</li>
    </StatementNotes>
  );
}
