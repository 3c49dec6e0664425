import { Global, Module } from '@nestjs/common';
import { Authenticator } from '../platform/principal.js';
import { ClerkAuthenticator } from './providers/clerk-authenticator.js';
import { ClerkWebhookController } from './http/clerk-webhook.controller.js';
import { clerkProvider } from './providers/clerk.js';
import { GetUserHandler } from './reads/get-user.js';
import { IdentityController } from './http/identity.controller.js';
import { SessionTokens } from './providers/session-tokens.js';
import { SigningKeys } from './providers/signing-keys.js';
import { UserMirror } from './user-mirror.js';
import { Users } from './users.js';

/** Authentication and roles. Global, because the platform's guard asks the `Authenticator` on every route. */
@Global()
@Module({
  controllers: [IdentityController, ClerkWebhookController],
  providers: [
    clerkProvider,
    SigningKeys,
    SessionTokens,
    UserMirror,
    Users,
    ClerkAuthenticator,
    { provide: Authenticator, useExisting: ClerkAuthenticator },
    GetUserHandler,
  ],
  exports: [Authenticator],
})
export class IdentityModule {}
