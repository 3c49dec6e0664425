import { type Provider } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { ModerationCases } from './moderation-cases.js';
import { PromptModerator } from './prompt-moderator.js';
import { PromptPolicy } from './prompt-policy.js';
import { RefusalLog } from './refusal-log.js';
import { RuleModerator } from './rule-moderator.js';
import { Suspensions } from './suspensions.js';
import { ReplicateModerator } from './replicate-moderator.js';

export const MODERATION: Provider[] = [
  {
    provide: PromptModerator,
    inject: [RuleModerator, CONFIG, PROVIDER_SETTINGS],
    useFactory: (rules: RuleModerator, { moderationModel }: Config, { replicate }: ProviderSettings) =>
      moderationModel === null ? rules : new ReplicateModerator(rules, replicate, moderationModel),
  },
  RuleModerator,
  RefusalLog,
  PromptPolicy,
  ModerationCases,
  Suspensions,
];
