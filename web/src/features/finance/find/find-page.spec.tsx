import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { openFinancePage, press, onFinancePage } from '../../../../test/finance-page.js';
import { pass, textsOf } from '../../../../test/page.js';
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
    const list = screen.getByRole('list', { name: 'Results' });
    expect(textsOf(within(list).getAllByRole('link'))).toEqual(names);
    expect(within(list).getByText(kinds[0]!)).toBeTruthy();
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
