/** The rules for short texts of the product (specification, section 5), as the search box applies them. */

const MAX_LENGTH = 50;
const SQL_KEYWORDS =
  'select|insert|update|delete|drop|union|alter|create|truncate|exec|execute|grant|revoke|declare|cast|convert';
const SQL = new RegExp(`\\b(?:${SQL_KEYWORDS})\\b`, 'gi');

/** Takes out markup, SQL keywords, comment marks and the characters ; ' " ` \ < >, and cuts to 50 characters. */
export function sanitiseShortText(text: string): string {
  const clean = text
    .replace(/<[^>]*>/g, '')
    .replace(/[;'"`\\<>]/g, '')
    .replace(/--/g, '')
    .replace(SQL, '')
    .replace(/\s+/g, ' ')
    .trim();
  const short = [...clean].slice(0, MAX_LENGTH).join('').trim();
  // What was taken out may have stood inside a word that is to go as well: "sel--ect".
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

/** True for SQL keywords, quotes, comment marks, script tags and event-handler text: nobody is called that. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS.some((pattern) => pattern.test(text));
}
