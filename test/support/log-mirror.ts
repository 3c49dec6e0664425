import { createHash } from 'node:crypto';

/** The log as a mirror has read it. Shares no code with the product. */
export interface Mirrored {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  /** Entries in hex. */
  readonly entries: readonly string[];
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 6962, section 2.1, over hashes instead of entries. */
function mth(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (!first) return sha256();
  if (hashes.length === 1) return first;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return sha256(Buffer.of(1), mth(hashes.slice(0, k)), mth(hashes.slice(k)));
}

function pathOf(number: number): string {
  const groups = String(number)
    .padStart(Math.ceil(String(number).length / 3) * 3, '0')
    .match(/\d{3}/g) as string[];
  return groups.map((group, index) => (index === groups.length - 1 ? group : `x${group}`)).join('/');
}

/** Reads the whole log of a site as a stranger would. @throws Error when a tile contradicts the checkpoint */
export async function mirrorLog(url: string): Promise<Mirrored> {
  const [origin = '', count = '', root = ''] = (await (await fetch(`${url}/ledger/checkpoint`)).text()).split('\n');
  const size = Number(count);
  const tile = async (path: string, number: number, width: number): Promise<Buffer> => {
    const address = `${url}/ledger/tile/${path}/${pathOf(number)}${width < 256 ? `.p/${width}` : ''}`;
    const response = await fetch(address);
    if (response.status !== 200) throw new Error(`${address}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const entries: string[] = [];
  let hashes: Buffer[] = [];
  for (let from = 0; from < size; from += 256) {
    const width = Math.min(256, size - from);
    const content = await tile('entries', from / 256, width);
    for (let at = 0; at < content.length; at += 34) {
      if (content.readUInt16BE(at) !== 32) throw new Error('An entry has not 32 bytes.');
      const entry = content.subarray(at + 2, at + 34);
      entries.push(entry.toString('hex'));
      hashes.push(sha256(Buffer.of(0), entry));
    }
  }
  const leaves = hashes;
  for (let level = 0; hashes.length > 0; level += 1) {
    for (let from = 0; from < hashes.length; from += 256) {
      const due = Buffer.concat(hashes.slice(from, from + 256));
      const found = await tile(String(level), from / 256, due.length / 32);
      if (!found.equals(due)) throw new Error(`Tile ${from / 256} of level ${level} differs.`);
    }
    const full = Array.from({ length: Math.floor(hashes.length / 256) }, (_, index) => index * 256);
    hashes = full.map((from) => mth(hashes.slice(from, from + 256)));
  }
  if (mth(leaves).toString('base64') !== root) throw new Error('The root differs from that of the entries.');
  return { origin, size, root, entries };
}
