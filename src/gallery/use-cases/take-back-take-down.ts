import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type TakeDownState } from '../../contract/gallery.js';
import { EndTakeDown, toTakeDownState } from '../../generation/index.js';
import { ownCreator } from '../own-creator.js';
import { SetAside } from '../set-aside.js';

/**
 * Ends an open take-down request of the creator that a user is. The image is shown as before.
 * @throws DomainError as `EndTakeDown`, and forbidden for fans
 */
export class TakeBackTakeDown extends Command<TakeDownState> {
  constructor(readonly input: { readonly userId: string; readonly requestId: string }) {
    super();
  }
}

@CommandHandler(TakeBackTakeDown)
export class TakeBackTakeDownHandler implements ICommandHandler<TakeBackTakeDown> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly aside: SetAside,
  ) {}

  async execute({ input: { userId, requestId } }: TakeBackTakeDown): Promise<TakeDownState> {
    const { id: creatorId } = await ownCreator(this.queries, userId);
    const request = await this.commands.execute(new EndTakeDown({ requestId, creatorId, userId }));
    const { generation_id: generationId } = request;
    await this.aside.remove({ creatorId, generationId, actorId: userId }, 'taken_down_at');
    return toTakeDownState(request);
  }
}
