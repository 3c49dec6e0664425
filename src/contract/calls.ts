import { type ActCalls } from './calls/acts.js';
import { type AdminGalleryCalls } from './calls/admin-gallery.js';
import { type AdminUserCalls } from './calls/admin-users.js';
import { type AdminCalls } from './calls/admin.js';
import { type ApplicationCalls } from './calls/applications.js';
import { type AuditCalls } from './calls/audit.js';
import { type ClosingCalls } from './calls/closing.js';
import { type CreatorCalls, type CreatorFunctions } from './calls/creators.js';
import { type CreditCalls } from './calls/credits.js';
import { type FinanceCalls } from './calls/finance.js';
import { type FrameCalls } from './calls/frame.js';
import { type GalleryCalls } from './calls/gallery.js';
import { type GenerationCalls, type GenerationFunctions } from './calls/generation.js';
import { type IdentityCalls } from './calls/identity.js';
import { type ModerationCalls } from './calls/moderation.js';
import { type PaymentCalls, type PaymentFunctions } from './calls/payments.js';
import { type PayoutCalls } from './calls/payouts.js';
import { type RateLimitCalls } from './calls/rate-limits.js';
import { type ReconciliationCalls } from './calls/reconciliation.js';
import { type RevenueCalls } from './calls/revenue.js';

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
