import { Query, QueryHandler } from '@nestjs/cqrs';
import { type LedgerVerification, type VerificationRun, type VerificationRunsPage } from '../../contract/audit.js';
import { type PageAfter, QueryOf } from '../../platform/messages.js';
import { wireFields } from '../../platform/wire-fields.js';
import { readVerificationState } from '../continuous/verification-state.js';
import { runsBefore, type StoredRun } from '../runs/verification-runs.js';
import { LedgerRead } from './ledger-read.js';

/** Problems in a response. */
export const PROBLEMS_SHOWN = 20;

/** The state of the continuous verification. */
export class GetLedgerVerification extends Query<LedgerVerification> {}

/** A page of the full verifications, the newest first. @param input `after`: `next` of the page before */
export class ListVerificationRuns extends QueryOf<PageAfter<number>, VerificationRunsPage> {}

@QueryHandler(GetLedgerVerification)
export class GetLedgerVerificationHandler extends LedgerRead<GetLedgerVerification> {
  async execute(): Promise<LedgerVerification> {
    const { verifiedUntil, succeededAt, events, problems, first } = await readVerificationState(
      this.pool,
      PROBLEMS_SHOWN,
    );
    return {
      verified_until: verifiedUntil?.toISOString() ?? null,
      succeeded_at: succeededAt?.toISOString() ?? null,
      events,
      problems,
      first: first.map(({ stream, version, kind, foundAt, ...problem }) => {
        return { stream, version, kind, what: problem.what, found_at: foundAt.toISOString() };
      }),
    };
  }
}

@QueryHandler(ListVerificationRuns)
export class ListVerificationRunsHandler extends LedgerRead<ListVerificationRuns> {
  async execute({ input: { after, limit } }: ListVerificationRuns): Promise<VerificationRunsPage> {
    const rows = await runsBefore(this.pool, after, limit);
    return { runs: rows.map(toWireRun), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  }
}

/** A full verification, as a response has it. */
export function toWireRun(stored: StoredRun): VerificationRun {
  return {
    ...wireFields(stored, ['id', 'requested_by', 'requested_by_name', 'events', 'problems', 'result', 'failure']),
    ...wireFields(stored, ['requested_at', 'started_at', 'ended_at']),
  };
}
