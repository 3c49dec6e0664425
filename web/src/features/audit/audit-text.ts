/** `61f20e4b`: the first eight characters of a hash or id, which are shown in tables. */
export function shortHash(hash: string | null): string {
  return hash === null ? 'none' : hash.slice(0, 8);
}

/** `cs_test_a1…9f3e`: a long id, shortened in the middle. */
export function shortId(id: string, length = 22): string {
  if (id.length <= length) return id;
  const tail = 4;
  return `${id.slice(0, length - tail - 1)}…${id.slice(-tail)}`;
}

/** `4b1f 90c7 e2d8 5a36 … 7e01`: the first 16 and the last four characters of a hash, in groups. */
export function groupedHash(hash: string): string {
  const head = hash.slice(0, 16).match(/.{1,4}/g) ?? [];
  return hash.length <= 20 ? hash : `${head.join(' ')} … ${hash.slice(-4)}`;
}
