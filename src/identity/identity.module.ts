import { Global, Module } from '@nestjs/common';
import { OncePerPerson } from '../platform/once-per-person.js';
import { Authenticator } from '../platform/principal.js';
import { BonusClaims } from './bonus/bonus-claims.js';
import { addressHasherProvider } from './bonus/claim-key.js';
import { ClerkAuthenticator } from './providers/clerk-authenticator.js';
import { ClerkWebhookController } from './http/clerk-webhook.controller.js';
import { clerkProvider } from './providers/clerk.js';
import { IsVerifiedAddressHandler } from './reads/is-verified-address.js';
import { ListDeletedUsersHandler } from './reads/list-deleted-users.js';
import { DeleteUserHandler } from './use-cases/delete-user.js';
import { NoteClosingHandler } from './use-cases/note-closing.js';
import { GetUserHandler } from './reads/get-user.js';
import { IdentityController } from './http/identity.controller.js';
import { SessionTokens } from './providers/session-tokens.js';
import { SigningKeys } from './providers/signing-keys.js';
import { UserMirror } from './user-mirror.js';
import { Users } from './users.js';

/**
 * Authentication, roles, and the claims of the sign-up bonus. Global, because the platform's guard asks the
 * `Authenticator` on every route.
 */
@Global()
@Module({
  controllers: [IdentityController, ClerkWebhookController],
  providers: [
    clerkProvider,
    SigningKeys,
    SessionTokens,
    addressHasherProvider,
    UserMirror,
    Users,
    BonusClaims,
    { provide: OncePerPerson, useExisting: BonusClaims },
    ClerkAuthenticator,
    { provide: Authenticator, useExisting: ClerkAuthenticator },
    GetUserHandler,
    IsVerifiedAddressHandler,
    ListDeletedUsersHandler,
    DeleteUserHandler,
    NoteClosingHandler,
  ],
  exports: [Authenticator, OncePerPerson],
})
export class IdentityModule {}
