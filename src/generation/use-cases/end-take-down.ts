import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { DomainError } from '../../platform/domain-error.js';
import { sanitiseText } from '../sanitise-prompt.js';
import { type TakeDownOfImage, TakeDownRows } from '../take-down-rows.js';
import { DeletedMedia } from '../workers/deleted-media.js';

const NOTE_MAX_LENGTH = 500;

/** The end of a request: a decision of an admin, or the creator's own. */
export type TakeDownEnd =
  | { readonly decision: 'removed'; readonly adminId: string; readonly note: string }
  | { readonly decision: 'kept'; readonly adminId: string; readonly note: string }
  | { readonly decision: 'taken_back'; readonly creatorId: string; readonly userId: string };

type EndTakeDownInput<Decision> = { readonly requestId: string } & Extract<TakeDownEnd, { decision: Decision }>;

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
    private readonly media: DeletedMedia,
  ) {}

  async execute({ input }: EndTakeDown): Promise<TakeDownOfImage> {
    return input.decision === 'removed' ? this.remove(input) : this.show(input);
  }

  private async show(input: EndTakeDownInput<'kept'> | EndTakeDownInput<'taken_back'>): Promise<TakeDownOfImage> {
    const end =
      input.decision === 'kept'
        ? { by: input.adminId, note: sanitiseText(input.note, NOTE_MAX_LENGTH), creatorId: null }
        : { by: input.userId, note: '', creatorId: input.creatorId };
    const shown = await this.requests.show(input.requestId, { decision: input.decision, ...end });
    if (shown) return shown;
    const request = await this.requests.find(input.requestId);
    return sameEnd(
      end.creatorId === null || request?.creator_id === end.creatorId ? request : undefined,
      input.decision,
    );
  }

  private async remove({ requestId, adminId, note }: EndTakeDownInput<'removed'>): Promise<TakeDownOfImage> {
    const request = await this.requests.find(requestId);
    if (request?.decision !== null) return sameEnd(request, 'removed');
    const end = { by: adminId, note: sanitiseText(note, NOTE_MAX_LENGTH) };
    const removed = await this.requests.remove(request, end);
    // Undefined: another end came first.
    if (!removed) return sameEnd(await this.requests.find(requestId), 'removed');
    await this.media.removeFiles({ id: request.generation_id, image: removed.image });
    return { ...removed.ended, prompt: '', image: null };
  }
}

/** @throws DomainError unless the request has ended in this way */
function sameEnd(request: TakeDownOfImage | undefined, decision: TakeDownEnd['decision']): TakeDownOfImage {
  if (!request) throw new DomainError('notFound', CONTROL_MESSAGES.takeDownNotFound);
  if (request.decision === decision) return request;
  throw new DomainError('conflict', CONTROL_MESSAGES.takeDownDecided, { code: '55000' });
}
