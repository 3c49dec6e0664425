import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { DomainError } from '../../platform/domain-error.js';
import { GenerationRows } from '../generation-rows.js';
import { sanitiseText } from '../sanitise-prompt.js';
import { type TakeDownOfImage, TakeDownRows } from '../take-down-rows.js';
import { DeletedMedia } from '../workers/deleted-media.js';

const NOTE_MAX_LENGTH = 500;

/** The end of a request: a decision of an admin, or the creator's own. */
export type TakeDownEnd =
  | { readonly decision: 'removed' | 'kept'; readonly adminId: string; readonly note: string }
  | { readonly decision: 'taken_back'; readonly creatorId: string; readonly userId: string };

/**
 * Ends a take-down request. `removed` erases prompt and image, as `DeleteGeneration` does; the credits and earnings do
 * not change. Otherwise the image is shown as before. The same end again changes nothing.
 * @throws DomainError notFound for an unknown request and another creator's, conflict after another decision
 */
export class EndTakeDown extends Command<TakeDownOfImage> {
  constructor(readonly input: { readonly requestId: string } & TakeDownEnd) {
    super();
  }
}

@CommandHandler(EndTakeDown)
export class EndTakeDownHandler implements ICommandHandler<EndTakeDown> {
  constructor(
    private readonly requests: TakeDownRows,
    private readonly rows: GenerationRows,
    private readonly media: DeletedMedia,
  ) {}

  async execute({ input }: EndTakeDown): Promise<TakeDownOfImage> {
    const request = await this.requests.find(input.requestId);
    if (!request || (input.decision === 'taken_back' && request.creator_id !== input.creatorId)) {
      throw new DomainError('notFound', CONTROL_MESSAGES.takeDownNotFound);
    }
    if (request.decision !== null) return sameEnd(request, input.decision);
    if (input.decision === 'removed') {
      // First: after a crash between the two steps, the same decision completes the work.
      const removed = await this.rows.remove(request.generation_id, null);
      if (removed) await this.media.removeFiles(removed);
    }
    const ended = await this.requests.end(request.id, {
      decision: input.decision,
      by: input.decision === 'taken_back' ? input.userId : input.adminId,
      note: input.decision === 'taken_back' ? '' : sanitiseText(input.note, NOTE_MAX_LENGTH),
    });
    // Undefined: another end came first.
    if (!ended) return sameEnd(await this.requests.find(request.id), input.decision);
    return { ...request, ...ended, ...(input.decision === 'removed' ? { prompt: '', image: null } : {}) };
  }
}

function sameEnd(request: TakeDownOfImage | undefined, decision: TakeDownEnd['decision']): TakeDownOfImage {
  if (request?.decision === decision) return request;
  throw new DomainError('conflict', CONTROL_MESSAGES.takeDownDecided, { code: '55000' });
}
