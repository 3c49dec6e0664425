import { isIPv6 } from 'node:net';

const IPV4_IN_IPV6 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because a customer
 * gets a /64 at least. Other texts are returned unchanged.
 */
export function networkOf(address: string): string {
  const ipv4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [withoutZone = ''] = address.split('%');
  if (!isIPv6(withoutZone)) return address;
  // The URL parser writes every form of an address the same way, without zeros and in hexadecimal.
  const [left = '', right] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const before = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
