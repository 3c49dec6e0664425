import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Makes identifiers. UUIDv7: they sort by creation time, which the ledger uses to refuse ids that are too old to judge.
 * Injected, so that tests can name what they will see.
 */
export abstract class IdGenerator {
  abstract next(): string;
}

/** Of an id, and of what is asked of the system at once: one call for each id would take longer than all the rest of a command. */
const ID_BYTES = 16;
const POOL_BYTES = 256 * ID_BYTES;

/** Random UUIDv7 with the machine's clock; those of one generator rise, also within a millisecond and when the clock is set back. */
export class UuidGenerator extends IdGenerator {
  private readonly pool = new Uint8Array(POOL_BYTES);
  private used = POOL_BYTES;
  private msecs = 0;
  private seq = 0;

  override next(): string {
    if (this.used === POOL_BYTES) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    const random = this.pool.subarray(this.used, (this.used += ID_BYTES));
    const now = Date.now();
    if (now > this.msecs) {
      this.msecs = now;
      this.seq = new DataView(random.buffer, random.byteOffset).getUint32(6) & 0x7fffffff;
    } else {
      this.seq = (this.seq + 1) | 0;
      if (this.seq === 0) this.msecs += 1;
    }
    return v7({ random, msecs: this.msecs, seq: this.seq });
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the textual form of any UUID (8-4-4-4-12 hex digits). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
