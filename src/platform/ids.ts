import { createHash, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Makes identifiers: UUIDv7, which sort by creation time. Callers rely on that order. Injected, so that tests can
 * predict ids.
 */
export abstract class IdGenerator {
  abstract next(): string;
}

/** Random bytes are fetched for 256 ids at once: a system call per id would take longer than the rest of a command. */
const ID_BYTES = 16;
const POOL_BYTES = 256 * ID_BYTES;

/** Random UUIDv7. Ids of one generator always rise, even when the clock is set back. */
export class UuidGenerator extends IdGenerator {
  private readonly pool = new Uint8Array(POOL_BYTES);
  private used = POOL_BYTES;
  private msecs = 0;
  private seq = 0;

  /** @param time epoch milliseconds; by default the machine's clock */
  constructor(private readonly time: () => number = Date.now) {
    super();
  }

  override next(): string {
    if (this.used === POOL_BYTES) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    const random = this.pool.subarray(this.used, (this.used += ID_BYTES));
    const now = this.time();
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

/** A UUID (version 8) that follows from a text: the same text gives the same one. */
export function uuidFrom(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    ...[digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`],
    ...[`${((parseInt(digits.slice(16, 17), 16) & 3) | 8).toString(16)}${digits.slice(17, 20)}`, digits.slice(20, 32)],
  ].join('-');
}
