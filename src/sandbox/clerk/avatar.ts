import { createHash } from 'node:crypto';
import { type UserRecord } from './state.js';

/** A small picture derived from the user's id, as a data URI so that the browser fetches nothing. */
export function avatarOf(user: UserRecord): string {
  const digest = createHash('sha256').update(user.id).digest();
  const hue = (digest.readUInt16BE(0) % 360).toString();
  const x = 12 + ((digest[2] ?? 0) % 40);
  const y = 12 + ((digest[3] ?? 0) % 40);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">` +
    `<rect width="64" height="64" fill="hsl(${hue} 45% 38%)"/>` +
    `<circle cx="${x}" cy="${y}" r="22" fill="hsl(${hue} 55% 52%)"/>` +
    `<text x="32" y="42" text-anchor="middle" font-family="sans-serif" font-size="28" fill="#fff">${initialOf(user)}</text>` +
    `</svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

/** First letter or digit of the name or address; anything else could be markup. */
function initialOf(user: UserRecord): string {
  const match = /[\p{L}\p{N}]/u.exec(user.firstName ?? user.email);
  return (match?.[0] ?? '').toUpperCase();
}
