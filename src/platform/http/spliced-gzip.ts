import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const compress = promisify(deflateRaw);

/** Method deflate, no name, no time, unknown system (RFC 1952). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty stored block that is the last one (RFC 1951). */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);
/** A stored block has at most this many bytes. */
const MOST_STORED = 0xffff;

interface Piece {
  readonly bytes: Buffer;
  /** Whole blocks that refer to nothing before them and end at a byte. */
  readonly deflated: Buffer;
}

/**
 * The pieces of a text, compressed once. Short texts that differ in each response, such as a nonce, are put between
 * them as stored blocks, so a response costs a copy and a checksum instead of a compression.
 */
export class SplicedGzip {
  private constructor(private readonly pieces: readonly Piece[]) {}

  static async of(pieces: readonly string[]): Promise<SplicedGzip> {
    return new SplicedGzip(
      await Promise.all(
        pieces.map(async (piece) => {
          const bytes = Buffer.from(piece);
          return { bytes, deflated: await compress(bytes, { finishFlush: constants.Z_FULL_FLUSH }) };
        }),
      ),
    );
  }

  /** The pieces as one gzip file, with one of the texts between each two of them. */
  with(texts: readonly string[]): Buffer {
    const blocks: Buffer[] = [HEADER];
    let checksum = 0;
    let length = 0;
    const add = (bytes: Buffer, ...deflated: Buffer[]): void => {
      // zlib starts the checksum again at nothing.
      if (bytes.length === 0) return;
      blocks.push(...deflated);
      checksum = crc32(bytes, checksum);
      length += bytes.length;
    };
    for (const [index, { bytes, deflated }] of this.pieces.entries()) {
      add(bytes, deflated);
      const text = Buffer.from(texts[index] ?? '');
      add(text, storedHead(text.length), text);
    }
    const end = Buffer.alloc(8);
    end.writeUInt32LE(checksum, 0);
    end.writeUInt32LE(length >>> 0, 4);
    return Buffer.concat([...blocks, LAST_BLOCK, end]);
  }
}

function storedHead(length: number): Buffer {
  if (length > MOST_STORED) throw new Error(`A text of ${length} bytes does not fit between the pieces.`);
  const head = Buffer.alloc(5);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(length ^ MOST_STORED, 3);
  return head;
}
