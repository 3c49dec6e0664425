import { type StoredRun } from './verification-runs.js';
import { CommandOf } from '../../platform/messages.js';

/**
 * Requests a full verification of the ledger, which starts at once in the background. While one waits or is in
 * progress, returns that one.
 * @param input id of the auditor
 */
export class RequestVerification extends CommandOf<string, StoredRun> {}
