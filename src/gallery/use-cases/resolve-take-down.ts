import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type TakeDownRequest } from '../../contract/gallery.js';
import { GetCreator } from '../../creators/index.js';
import { EndTakeDown, toTakeDownRequest } from '../../generation/index.js';
import { Clock } from '../../platform/clock.js';
import { SetAside } from '../set-aside.js';

/**
 * An admin's decision on a take-down request: the image is erased, or shown as before.
 * @throws DomainError as `EndTakeDown`
 */
export class ResolveTakeDown extends Command<TakeDownRequest> {
  constructor(
    readonly input: {
      readonly adminId: string;
      readonly requestId: string;
      readonly decision: 'removed' | 'kept';
      readonly note: string;
    },
  ) {
    super();
  }
}

@CommandHandler(ResolveTakeDown)
export class ResolveTakeDownHandler implements ICommandHandler<ResolveTakeDown> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly aside: SetAside,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: ResolveTakeDown): Promise<TakeDownRequest> {
    const { decision, ...end } = input;
    const request = await this.commands.execute(
      new EndTakeDown(decision === 'kept' ? { decision, ...end } : { decision, ...end }),
    );
    const { creator_id: creatorId, generation_id: generationId } = request;
    if (input.decision === 'kept') {
      await this.aside.remove({ creatorId, generationId, actorId: input.adminId }, 'taken_down_at');
    }
    const creator = await this.queries.execute(new GetCreator({ creatorId }));
    return toTakeDownRequest(request, creator?.name, this.clock.now());
  }
}
