import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONTROL_MESSAGES, TAKE_DOWN_REASON_MAX_LENGTH } from '../../contract/creator-controls.js';
import { type TakeDownState } from '../../contract/gallery.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { sanitiseText } from '../prompts/sanitise-prompt.js';
import { TakeDownRows, toTakeDownState } from '../images/take-down-rows.js';
import { HiddenMedia } from '../images/hidden-media.js';

/**
 * Stores a creator's request to take down a delivered image in their style. From then on only its owner and admins see
 * the image, and its files have new addresses. While a request is open, a repeated one returns it.
 * @throws DomainError unprocessable without a reason, notFound for other images, conflict when an admin has decided to
 *   keep the image
 */
export class OpenTakeDown extends Command<TakeDownState> {
  constructor(readonly input: { readonly creatorId: string; readonly generationId: string; readonly reason: string }) {
    super();
  }
}

@CommandHandler(OpenTakeDown)
export class OpenTakeDownHandler implements ICommandHandler<OpenTakeDown> {
  constructor(
    private readonly requests: TakeDownRows,
    private readonly media: HiddenMedia,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { creatorId, generationId, reason: text } }: OpenTakeDown): Promise<TakeDownState> {
    const reason = sanitiseText(text, TAKE_DOWN_REASON_MAX_LENGTH);
    if (reason === '' || text.trim().length > TAKE_DOWN_REASON_MAX_LENGTH) {
      throw new DomainError('unprocessable', CONTROL_MESSAGES.takeDownReason, { code: '22023' });
    }
    const request = { id: this.ids.next(), generationId, creatorId, reason };
    let stored: TakeDownState | undefined;
    await this.media.conceal(async (copies) => {
      const opened = await this.requests.open(request, copies);
      stored = opened && toTakeDownState(opened.request);
      return opened?.image;
    });
    if (stored) return stored;
    const last = await this.requests.last(generationId, creatorId);
    if (last?.decision === null) return toTakeDownState(last);
    if (last?.decision === 'kept') {
      throw new DomainError('conflict', CONTROL_MESSAGES.takeDownKept, { code: '55000' });
    }
    throw new DomainError('notFound', CONTROL_MESSAGES.imageNotFound);
  }
}
