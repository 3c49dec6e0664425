import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';

/** The address to which the image provider sends its webhooks about one generation. */
@Injectable()
export class WebhookAddress {
  private readonly origin: string;

  constructor(@Inject(CONFIG) config: Config, @Inject(PROVIDER_SETTINGS) providers: ProviderSettings) {
    this.origin = providers.replicate.webhookOrigin ?? config.publicUrl;
  }

  forGeneration(generationId: string): string {
    return `${this.origin}/webhooks/replicate?generation=${generationId}`;
  }
}
