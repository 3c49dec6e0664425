import { CREATOR_TERMS_VERSION } from '../../../../src/contract/creator-terms.js';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { ownDataTimings } from '../../lib/own-data-timings.js';
import { refreshQueries } from '../../lib/query.js';
import { useRpc } from '../../lib/use-rpc.js';
import { waitsForModel } from './portal-case.js';

const RECORD = 'get_creator_by_jwt';
const TERMS = 'get_terms_acceptance_status_by_jwt';
const FIGURES = 'get_creator_dashboard_analytics';

export interface CreatorState {
  readonly status: 'loading' | 'failed' | 'loaded';
  /** Null without a record. */
  readonly creator: OwnCreator | null;
  readonly termsAccepted: boolean;
  /** Whether fans have pictures of a creator who waits for a model. */
  readonly hadModel: boolean;
  /** Fetches the record again. */
  readonly lookAgain: () => Promise<unknown>;
}

/** The signed-in person's creator record, and whether they accepted the present terms. */
export function useCreatorState(): CreatorState {
  const record = useRpc(RECORD, {}, ownDataTimings);
  const terms = useRpc(TERMS, { p_terms_version: CREATOR_TERMS_VERSION }, ownDataTimings);
  const [creator = null] = record.data ?? [];
  const waits = creator !== null && waitsForModel(creator);
  const figures = useRpc(FIGURES, { p_creator_id: creator?.id ?? '' }, { ...ownDataTimings, enabled: waits });
  const { refetch: lookAgain } = record;
  const unknown = { creator: null, termsAccepted: false, hadModel: false, lookAgain };
  const queries = [record, terms];
  if (queries.some(({ isError, data }) => isError && data === undefined)) return { status: 'failed', ...unknown };
  // Without its answer, the page for creators who wait is shown: it needs no figures.
  const waitsForFigures = waits && !figures.isError && (figures.data === undefined || figures.isPlaceholderData);
  // A placeholder is the answer for the person who was signed in before.
  if (waitsForFigures || queries.some(({ data, isPlaceholderData }) => data === undefined || isPlaceholderData)) {
    return { status: 'loading', ...unknown };
  }
  const hadModel = waits && (figures.data?.stats.total_generations ?? 0) > 0;
  return { status: 'loaded', creator, termsAccepted: terms.data ?? false, hadModel, lookAgain };
}

/** Fetches record and acceptance again, for pages that show them. */
export function refreshCreatorState(): Promise<void> {
  return refreshQueries(RECORD, TERMS);
}
