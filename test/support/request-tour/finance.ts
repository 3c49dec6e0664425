import { type MonthClosing } from '../../../src/contract/finance.js';
import { type People, FILLED_CREATOR, type RequestTour } from './request-tour.js';
import { payoutRequests } from './payouts.js';

/** Reads the books, closes a month, reconciles and pays creators out. */
export async function financeRequests(tour: RequestTour, { finance, admin }: People, creatorId: string): Promise<void> {
  const { ask, rpc } = tour;
  const ofCreator = { p_creator_id: FILLED_CREATOR };
  await rpc('get_trial_balance', finance);
  await rpc('list_revenue_months', finance);
  const { month: p_month, figures: p_figures } = await rpc<MonthClosing>('get_month_closing', finance);
  await rpc('close_book_month', finance, { p_month, p_figures });
  await rpc('get_deferred_revenue', finance);
  await rpc('list_creator_liabilities', finance);
  const today = { p_from: new Date(Date.now() - 86_400_000).toISOString(), p_to: new Date().toISOString() };
  await rpc('list_book_entries', finance, { p_accounts: [2000], ...today });
  await rpc('list_book_entries', finance, { p_accounts: [2100, 4000], ...today }, { variant: 'of two accounts' });
  const shares = { p_accounts: [2100], p_creator_id: FILLED_CREATOR, ...today };
  await rpc('list_book_entries', finance, shares, { variant: 'of a creator' });
  const bought = { p_accounts: [2000], p_bought_month: '2026-01', p_from: '2026-01-01', p_to: '2026-02-01' };
  await rpc('list_book_entries', finance, bought, { variant: 'of a month of purchase' });
  await rpc('get_event_entries', finance, { p_user_id: 'user_filled1', p_version: 0 });
  const period = `from=${today.p_from}&to=${today.p_to}`;
  for (const file of ['trial-balance', 'revenue-months', 'deferred-revenue', 'creator-liabilities']) {
    await ask(`GET /exports/${file}.csv`, finance);
  }
  await ask('GET /exports/book-entries.csv', finance, { path: `/exports/book-entries.csv?account=2000&${period}` });
  await ask('GET /exports/journal.csv', finance, { path: `/exports/journal.csv?${period}` });
  await rpc('get_reconciliation', finance);
  await rpc('get_reconciliation', finance, { p_from: '2026-01-01' }, { variant: 'of a year' });
  const { next: lastDifference } = await rpc<{ next: string | null }>('list_differences', finance);
  const p_from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  await rpc('list_differences', finance, { p_from, p_after: lastDifference ?? undefined }, { variant: 'second page' });
  await rpc('get_open_difference_count', finance);
  await rpc('run_reconciliation', finance);
  await ask('GET /exports/reconciliation.csv', finance);
  await payoutRequests(tour, finance, admin, creatorId);
  await rpc('get_creator_dashboard_analytics', finance, ofCreator);
  await rpc('get_creator_monthly_history', finance, ofCreator);
  await rpc('get_creator_earnings', finance, ofCreator);
  await rpc('get_creator_earnings', finance, { ...ofCreator, p_month: '2026-01' }, { variant: 'of a month' });
  await rpc('get_creator_statement', finance, { ...ofCreator, p_month: '2026-01' });
  const download = 'GET /exports/creator-earnings.csv';
  await ask(download, finance, { path: `/exports/creator-earnings.csv?creator_id=${FILLED_CREATOR}` });
}
