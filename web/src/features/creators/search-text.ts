/** Sanitising of short texts, for the search box (fan spec, section 5). */
import { SEARCH_LENGTH } from '../../../../src/contract/limits.js';

const MAX_LENGTH = SEARCH_LENGTH.max;
const SQL_KEYWORDS =
  'select|insert|update|delete|drop|union|alter|create|truncate|exec|execute|grant|revoke|declare|cast|convert';
const SQL = new RegExp(`\\b(?:${SQL_KEYWORDS})\\b`, 'gi');

/** Removes markup, SQL keywords, comment marks and the characters ; ' " ` \ < >, and cuts to 50 characters. */
export function sanitiseShortText(text: string): string {
  const clean = text
    .replace(/<[^>]*>/g, '')
    .replace(/[;'"`\\<>]/g, '')
    .replace(/--/g, '')
    .replace(SQL, '')
    .replace(/\s+/g, ' ')
    .trim();
  const short = [...clean].slice(0, MAX_LENGTH).join('').trim();
  // Removing a part may reveal a keyword, as in "sel--ect": repeat until nothing changes.
  return short === text ? short : sanitiseShortText(short);
}

const SUSPICIOUS = [
  new RegExp(`\\b(?:${SQL_KEYWORDS})\\b`, 'i'),
  /['"`]/,
  /--|\/\*|\*\//,
  /<\s*\/?\s*script/i,
  /\bon\w+\s*=/i,
  /javascript\s*:/i,
];

/** True for SQL keywords, quotes, comment marks, script tags and event-handler text. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS.some((pattern) => pattern.test(text));
}

/** The sanitised text that the search box looks for. Empty for a suspicious one. */
export function searchedText(text: string): string {
  return isSuspicious(text) ? '' : sanitiseShortText(text);
}
