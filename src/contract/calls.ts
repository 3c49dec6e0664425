import { type ActCalls } from './acts.js';
import { type AdminGalleryCalls } from './admin-gallery.js';
import { type AdminUserCalls } from './admin-users.js';
import { type AdminCalls } from './admin.js';
import { type ApplicationCalls } from './applications.js';
import { type AuditCalls } from './audit.js';
import { type ClosingCalls } from './closing.js';
import { type CreatorCalls, type CreatorFunctions } from './creators.js';
import { type CreditCalls } from './credits.js';
import { type FinanceCalls } from './finance.js';
import { type FrameCalls } from './frame.js';
import { type GalleryCalls } from './gallery.js';
import { type GenerationCalls, type GenerationFunctions } from './calls/generation.js';
import { type IdentityCalls } from './identity.js';
import { type ModerationCalls } from './moderation.js';
import { type PaymentCalls, type PaymentFunctions } from './payments.js';
import { type PayoutCalls } from './payouts.js';
import { type RateLimitCalls } from './rate-limits.js';
import { type ReconciliationCalls } from './reconciliation.js';
import { type RevenueCalls } from './revenue.js';

/** `POST /rest/v1/rpc/<name>`: the remote procedures, by name. */
export interface RpcCalls
  extends
    ActCalls,
    AdminCalls,
    AdminGalleryCalls,
    AdminUserCalls,
    ApplicationCalls,
    AuditCalls,
    ClosingCalls,
    CreatorCalls,
    CreditCalls,
    FinanceCalls,
    FrameCalls,
    GalleryCalls,
    GenerationCalls,
    IdentityCalls,
    ModerationCalls,
    PaymentCalls,
    PayoutCalls,
    RateLimitCalls,
    ReconciliationCalls,
    RevenueCalls {}

/** `POST /functions/v1/<name>`: the server functions, by name. */
export interface FunctionCalls extends CreatorFunctions, GenerationFunctions, PaymentFunctions {}

export type RpcName = keyof RpcCalls;
export type RpcRequest<Name extends RpcName> = RpcCalls[Name]['request'];
export type RpcResponse<Name extends RpcName> = RpcCalls[Name]['response'];

export type FunctionName = keyof FunctionCalls;
export type FunctionRequest<Name extends FunctionName> = FunctionCalls[Name]['request'];
export type FunctionResponse<Name extends FunctionName> = FunctionCalls[Name]['response'];
