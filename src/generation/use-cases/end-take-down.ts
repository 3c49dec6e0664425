import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { DomainError } from '../../platform/domain-error.js';
import { type TakeDownRow, TakeDownRows } from '../images/take-down-rows.js';

/**
 * Takes back a take-down request of a creator. The image is shown as before. Repeating it changes nothing.
 * @throws DomainError notFound for an unknown request and another creator's, conflict after a decision of an admin
 */
export class EndTakeDown extends Command<TakeDownRow> {
  constructor(readonly input: { readonly requestId: string; readonly creatorId: string; readonly userId: string }) {
    super();
  }
}

@CommandHandler(EndTakeDown)
export class EndTakeDownHandler implements ICommandHandler<EndTakeDown> {
  constructor(private readonly requests: TakeDownRows) {}

  async execute({ input: { requestId, creatorId, userId } }: EndTakeDown): Promise<TakeDownRow> {
    const ended = await this.requests.takeBack(requestId, { by: userId, creatorId });
    if (ended) return ended;
    const request = await this.requests.find(requestId);
    if (request?.creator_id !== creatorId) throw new DomainError('notFound', CONTROL_MESSAGES.takeDownNotFound);
    if (request.decision === 'taken_back') return request;
    throw new DomainError('conflict', CONTROL_MESSAGES.takeDownDecided, { code: '55000' });
  }
}
