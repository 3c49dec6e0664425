import { type ApiUser, signUp } from '../api-client.js';
import { type RequestTour } from './request-tour.js';

/** A fan closes the account, and the others look at closings. */
export async function closingRequests({ app, rpc }: RequestTour, fan: ApiUser, admin: ApiUser): Promise<void> {
  const leaving = await signUp(app.url, 'leaving@fans.test', 'correct-horse-9');
  await rpc('get_account_closing', fan);
  const closing = { p_choice: 'refund', p_confirmation: 'CLOSE' };
  const { receipt_token: p_receipt_token } = await rpc<{ receipt_token: string }>('close_account', leaving, closing);
  await rpc('close_account', leaving, closing, { variant: 'again' });
  await rpc('get_account_closing', leaving, {}, { variant: 'closing' });
  await rpc('get_closing_receipt', null, { p_receipt_token });
  await rpc('get_account_closure', admin, { p_user_id: leaving.userId });
}
