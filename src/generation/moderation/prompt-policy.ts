import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/domain-error.js';
import { POLICY_MESSAGES } from '../messages.js';
import { PromptModerator } from './prompt-moderator.js';
import { RefusalLog } from './refusal-log.js';

/** The content policy of the product, for paid images and tests alike. */
@Injectable()
export class PromptPolicy {
  constructor(
    private readonly moderator: PromptModerator,
    private readonly refusals: RefusalLog,
  ) {}

  /** @throws DomainError when the prompt violates the content policy. It is stored for admins and not logged. */
  async require(request: {
    readonly userId: string;
    readonly creatorId: string;
    readonly prompt: string;
  }): Promise<void> {
    const { category } = await this.moderator.moderate(request.prompt);
    if (category === null) return;
    await this.refusals.record({ ...request, category });
    throw new DomainError('unprocessable', POLICY_MESSAGES[category], { code: '22023', details: category });
  }
}
