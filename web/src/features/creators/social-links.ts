export interface SocialLink {
  readonly site: 'Instagram' | 'Twitter' | 'OnlyFans';
  readonly href: string;
}

const SITES = [
  { site: 'Instagram', field: 'instagram', host: 'instagram.com', base: 'https://www.instagram.com/' },
  { site: 'Twitter', field: 'twitter', host: 'x.com', base: 'https://x.com/' },
  { site: 'OnlyFans', field: 'onlyfans', host: 'onlyfans.com', base: 'https://onlyfans.com/' },
] as const;

/**
 * Links to a creator's profiles on other sites. A field contains a handle (`@juno`) or an address. Creators enter these
 * values, so an address must use https and the host of its field.
 */
export function socialLinks(creator: {
  readonly instagram: string | null;
  readonly twitter: string | null;
  readonly onlyfans: string | null;
}): SocialLink[] {
  return SITES.flatMap(({ site, field, host, base }) => {
    const href = address(creator[field]?.trim() ?? '', host, base);
    return href ? [{ site, href }] : [];
  });
}

function address(value: string, host: string, base: string): string | null {
  const handle = value.replace(/^@/, '');
  if (/^[\w.-]+$/.test(handle) && !handle.toLowerCase().startsWith('www.')) return base + handle;
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  const name = url.hostname.replace(/^(www|mobile)\./, '');
  const known = name === host || (host === 'x.com' && name === 'twitter.com');
  return url.protocol === 'https:' && known && url.username === '' ? url.href : null;
}
