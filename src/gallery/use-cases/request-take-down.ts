import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type TakeDownState } from '../../contract/gallery.js';
import { OpenTakeDown } from '../../generation/index.js';
import { ownCreator } from '../own-creator.js';
import { SetAside } from '../set-aside.js';

/**
 * Asks the admins to remove an image in the style of the creator that a user is. At once only its owner and admins see
 * it, and it leaves the gallery.
 * @throws DomainError as `OpenTakeDown`, and forbidden for fans
 */
export class RequestTakeDown extends Command<TakeDownState> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string; readonly reason: string }) {
    super();
  }
}

@CommandHandler(RequestTakeDown)
export class RequestTakeDownHandler implements ICommandHandler<RequestTakeDown> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly aside: SetAside,
  ) {}

  async execute({ input: { userId, generationId, reason } }: RequestTakeDown): Promise<TakeDownState> {
    const { id: creatorId } = await ownCreator(this.queries, userId);
    const request = await this.commands.execute(new OpenTakeDown({ creatorId, generationId, reason }));
    // After a crash before this, reads leave out the hidden image, and the same request completes the work.
    await this.aside.add({ creatorId, generationId, actorId: userId }, 'taken_down_at');
    return request;
  }
}
