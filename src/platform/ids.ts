import { v7 } from 'uuid';

/**
 * Makes identifiers. UUIDv7: they sort by creation time, which the ledger uses to refuse ids that are too old to judge.
 * Injected, so that tests can name what they will see.
 */
export abstract class IdGenerator {
  abstract next(): string;
}

/** Random UUIDv7 with the machine's clock. */
export class UuidGenerator extends IdGenerator {
  override next(): string {
    return v7();
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the textual form of any UUID (8-4-4-4-12 hex digits). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
