import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { LIABILITIES, nextFinancePage, openFinancePage, press, onFinancePage } from '../../../../test/finance-page.js';
import { pass, refusal, textsOf } from '../../../../test/page.js';
import FindPage from './find-page.js';
import BalancePage from '../balance/balance-page.js';

onFinancePage();

describe('FindPage', () => {
  it.each([
    ['share', ['2100 Creator share'], ['Account']],
    ['1010', ['1010 Processor cash: payments received'], ['Account']],
    ['juno', ['Juno Abara'], ['Creator']],
    ['user_9:11', ['user_9:11'], ['Entry']],
  ])('finds %s', async (wanted, names, kinds) => {
    await openFinancePage(<FindPage />, `/finance/find?q=${wanted}`);
    const list = screen.getByRole('list', { name: kinds[0] === 'Creator' ? 'Creators' : 'Accounts and entries' });
    expect(textsOf(within(list).getAllByRole('link'))).toEqual(names);
    expect(within(list).getByText(kinds[0]!)).toBeTruthy();
  });

  it('finds a creator of a later page, and claims nothing when the creators are not loaded', async () => {
    const [juno] = LIABILITIES.creators;
    const later = { ...LIABILITIES, creators: [{ ...juno!, creator_id: 'creator-2', name: 'Odile Marsh' }] };
    const answers = {
      list_creator_liabilities: ({ p_after: after }: { readonly p_after?: string }) =>
        after === 'creator-1' ? later : { ...LIABILITIES, next: 'creator-1' },
    };
    await openFinancePage(<FindPage />, '/finance/find?q=odile', { answers });
    expect(screen.getByRole('link', { name: 'Odile Marsh' })).toBeTruthy();
    nextFinancePage();
    const refused = { list_creator_liabilities: refusal(403, 'Not for you.') };
    await openFinancePage(<FindPage />, '/finance/find?q=odile', { answers: refused });
    expect(screen.getByText('Failed to load the creators. Please try again.')).toBeTruthy();
    expect(screen.queryByText('Nothing found')).toBeNull();
    nextFinancePage();
    await openFinancePage(<FindPage />, '/finance/find?q=1010', { answers: refused });
    expect(screen.getByRole('link', { name: '1010 Processor cash: payments received' })).toBeTruthy();
  });

  it('goes to the results from the field of the header', async () => {
    const { router } = await openFinancePage(<BalancePage />, '/finance/balance');
    await press('/');
    const field = screen.getByRole('searchbox', { name: 'Find an account, a creator or an entry' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' 4000 ' } });
    fireEvent.submit(field.closest('form')!);
    await pass(0);
    expect(router.state.location).toMatchObject({ pathname: '/finance/find', search: '?q=4000' });
  });
});
