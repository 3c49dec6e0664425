import { Controller, Inject, Logger, Req } from '@nestjs/common';
import { type UserJSON } from '@clerk/backend';
import { verifyWebhook, type WebhookEvent } from '@clerk/backend/webhooks';
import { type WebhookReceived } from '../../contract/routes.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type RawBodyRequest, WEBHOOK_BODY } from '../../platform/http/json-body.js';
import { Endpoint } from '../../platform/http/routes.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { type ProviderUser, readProviderUser } from '../providers/provider-user.js';
import { LogSampler } from '../../platform/logging/log-sampler.js';
import { Users } from '../users.js';

const SIGNATURE_HEADERS = ['svix-id', 'svix-timestamp', 'svix-signature'] as const;

/**
 * Receives the provider's user events. Deliveries may be repeated, late or out of order. The mirror keeps the newest
 * state and never undoes a deletion, so every delivery may be handled any number of times.
 */
@Controller()
export class ClerkWebhookController {
  private readonly logger = new Logger(ClerkWebhookController.name);
  private readonly refusals = new LogSampler(10);
  private readonly secret: string | null;

  constructor(
    @Inject(PROVIDER_SETTINGS) settings: ProviderSettings,
    private readonly users: Users,
  ) {
    this.secret = settings.clerk.webhookSecret;
  }

  @Endpoint('POST /webhooks/clerk', { access: 'public', ...WEBHOOK_BODY })
  async receive(@Req() request: RawBodyRequest): Promise<WebhookReceived> {
    const event = await this.verified(request);
    if (event.type === 'user.created' || event.type === 'user.updated') {
      await this.users.save(readUser(event.data));
    } else if (event.type === 'user.deleted' && typeof event.data?.id === 'string') {
      await this.users.forget(event.data.id);
    }
    return { received: true };
  }

  /** Checks the signature of the raw body. Signatures older than five minutes are refused. */
  private async verified(request: RawBodyRequest): Promise<WebhookEvent> {
    if (this.secret === null) throw new ApiError(404, 'Webhooks of the identity provider are not set up.');
    const headers = new Headers();
    for (const name of SIGNATURE_HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    try {
      const body = request.rawBody?.toString('utf8') ?? '';
      return await verifyWebhook(new Request('http://webhook', { method: 'POST', headers, body }), {
        signingSecret: this.secret,
      });
    } catch (error) {
      const skipped = this.refusals.admit('refused');
      const reason = error instanceof Error ? error.name : 'unknown';
      if (skipped !== null) this.logger.warn('A webhook was refused.', { reason, skipped });
      throw new ApiError(400, 'The webhook could not be verified.', { code: '42501', cause: error });
    }
  }
}

/** @throws ApiError 400 when the signed event does not contain a user */
function readUser(data: UserJSON): ProviderUser {
  try {
    const user = readProviderUser(data);
    if (typeof user.id !== 'string' || Number.isNaN(user.updatedAt.getTime())) throw new Error('No id or time.');
    return user;
  } catch (error) {
    throw new ApiError(400, 'The webhook is malformed.', { cause: error });
  }
}
