import { SigningKeyError } from './audit/index.js';
import { ClaimKeyError } from './identity/index.js';
import { ConfigError } from './platform/config/config.js';
import { PastBusyError } from './platform/config/sandboxes.js';
import { NewerDatabaseError, NotMigratedError, NotOwnerError } from './platform/database/migrate.js';
import { DataFolderError } from './platform/data-folder.js';
import { DatabaseUnavailableError } from './platform/database/check-database.js';
import { RightsError } from './platform/database/rights.js';
import { EmbeddedPostgresError } from './platform/embedded/embedded-postgres.js';
import { EventStoreSettingError } from './platform/event-store/open-event-store.js';
import { FolderTakenError } from './platform/folder-owner.js';
import { PortTakenError } from './platform/http/free-port.js';
import { KeyError } from './platform/keys/installation-keys.js';

/** Mistakes of the operator who starts the app. */
export const OPERATOR_MISTAKES: readonly (new (...args: never[]) => Error)[] = [
  ConfigError,
  DataFolderError,
  DatabaseUnavailableError,
  NewerDatabaseError,
  NotMigratedError,
  NotOwnerError,
  RightsError,
  EmbeddedPostgresError,
  EventStoreSettingError,
  SigningKeyError,
  ClaimKeyError,
  KeyError,
  PastBusyError,
  FolderTakenError,
  PortTakenError,
];

/**
 * Returns what a failed start prints: the sentence of a mistake of the operator, because a stack trace does not help
 * there, and otherwise the error itself.
 */
export function printedError(error: unknown): unknown {
  const isMistake = OPERATOR_MISTAKES.some((kind) => error instanceof kind);
  return isMistake && error instanceof Error ? error.message : error;
}
