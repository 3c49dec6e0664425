import { CommandBus } from '@nestjs/cqrs';
import { type CreditBreakdown } from '../../../src/contract/credits.js';
import { PurchaseCredits } from '../../../src/credits/index.js';
import { AdjustCredits } from '../../../src/credits/use-cases/adjust-credits.js';
import { systemActor } from '../../../src/platform/acts/actor.js';
import { type ApiUser, signUp } from '../api-client.js';
import { paidSession } from '../paid-session.js';
import { type RequestTour } from './request-tour.js';

/** A user's first visit also claims the sign-up bonus. */
export const FIRST_VISIT = 'opens the account';

/** Opens accounts, and reads the credits of a fan. */
export async function creditRequests(tour: RequestTour, fan: ApiUser, creatorId: string): Promise<void> {
  const { app, ask, rpc } = tour;
  await rpc('get_user_credit_breakdown', fan);
  const fresh = await signUp(app.url, 'fresh@fans.test', 'correct-horse-9');
  await ask('POST /rest/v1/rpc/get_user_credit_breakdown', fresh, {
    body: {},
    variant: FIRST_VISIT,
    warm: false,
  });
  const newest = await signUp(app.url, 'newest@fans.test', 'correct-horse-9');
  await ask('POST /rest/v1/rpc/get_frame', newest, { body: {}, variant: FIRST_VISIT, warm: false });
  await withoutBonus(tour, creatorId);
  await rpc('grant_daily_credits_by_jwt', fan);
  await rpc('get_user_transactions_by_jwt', fan);
  await rpc('count_user_transactions_by_jwt', fan);
}

/** Calls of a user whose sign-up bonus another user of the same mailbox has, and who pays with bought credits. */
async function withoutBonus({ app, rpc, unheard }: RequestTour, creatorId: string): Promise<void> {
  const variant = 'without a bonus';
  const first = await signUp(app.url, 'cost@gmail.com', 'correct-horse-9');
  await first.rpc('get_user_credit_breakdown');
  const user = await signUp(app.url, 'c.ost@gmail.com', 'correct-horse-9');
  const { userId } = user;
  const commands = app.context.get(CommandBus);
  await unheard(() => commands.execute(new PurchaseCredits({ userId, ...paidSession({ sessionId: 'cs_cost' }) })));
  const answer = await rpc<CreditBreakdown>('get_user_credit_breakdown', user, {}, { variant });
  if (answer.sign_up_bonus !== 'taken') throw new Error(`The sign-up bonus is ${answer.sign_up_bonus}.`);
  await rpc('grant_daily_credits_by_jwt', user, {}, { variant });
  await unheard(() =>
    commands.execute(
      new AdjustCredits({
        userId,
        adjustmentId: 'cost',
        amount: 10,
        reason: 'A test',
        admin: systemActor('user_admin'),
      }),
    ),
  );
  await rpc('start_generation_by_jwt', user, { p_prompt: 'A fox', p_creator_id: creatorId }, { variant });
}
