import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ActsModule } from '../admin/acts/acts.module.js';
import { AdminModule } from '../admin/admin.module.js';
import { ClosingModule } from '../privacy/closing/closing.module.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { LedgerAuditModule } from '../audit/audit.module.js';
import { FinanceModule } from '../finance/finance.module.js';
import { FrameModule } from '../frame/frame.module.js';
import { GalleryModule } from '../gallery/gallery.module.js';
import { GenerationModule } from '../generation/generation.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ModerationModule } from '../admin/cases/moderation.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PersonalDataModule } from '../privacy/archive/personal-data.module.js';
import { AccessGuard } from '../platform/http/access-guard.js';
import { ErrorFilter } from '../platform/http/error-filter.js';
import { KnownFieldsPipe } from '../platform/http/known-fields.pipe.js';
import { JsonNullInterceptor } from '../platform/http/json-null.interceptor.js';
import { PlatformModule, type PlatformParts } from '../platform/platform.module.js';
import { RevenueModule } from '../revenue/revenue.module.js';

/** All contexts on one platform. */
@Module({})
export class AppModule {
  static with(parts: PlatformParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(parts),
        IdentityModule,
        CreditsModule,
        LedgerAuditModule,
        CreatorsModule,
        PaymentsModule,
        RevenueModule,
        FinanceModule,
        GenerationModule,
        GalleryModule,
        ModerationModule,
        PersonalDataModule,
        ClosingModule,
        ActsModule,
        AdminModule,
        FrameModule,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_INTERCEPTOR, useClass: JsonNullInterceptor },
        { provide: APP_PIPE, useClass: KnownFieldsPipe },
      ],
    };
  }
}
