import { type DynamicModule, Inject, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { CreatorsModule } from '../creators/creators.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { FinanceModule } from '../finance/finance.module.js';
import { GalleryModule } from '../gallery/gallery.module.js';
import { GenerationModule } from '../generation/generation.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PlatformModule, type PlatformParts } from '../platform/platform.module.js';
import { RevenueModule } from '../revenue/revenue.module.js';

const BEGIN = Symbol('BEGIN');

/** The contexts that the demo's past needs. Seals close the past, so the audit is not among them. */
@Module({})
export class PastModule implements OnModuleInit {
  constructor(@Inject(BEGIN) private readonly begin: () => void) {}

  /**
   * @param replacements of providers of the generation context
   * @param begin called after all modules have recorded the operator's decisions, and before the workers start
   */
  static with(parts: PlatformParts, replacements: Provider[], begin: () => void): DynamicModule {
    return {
      module: PastModule,
      imports: [
        PlatformModule.with(parts),
        IdentityModule,
        CreditsModule,
        CreatorsModule,
        PaymentsModule,
        RevenueModule,
        GenerationModule.with(replacements),
        GalleryModule,
        FinanceModule.withoutSchedules(),
      ],
      providers: [{ provide: BEGIN, useValue: begin }],
    };
  }

  /** Nest calls the root module's hook after those of its imports. */
  onModuleInit(): void {
    this.begin();
  }
}
