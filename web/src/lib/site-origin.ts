let serverOrigin = '';

/** Sets the public origin with which the server draws pages. */
export function setServerOrigin(origin: string): void {
  serverOrigin = origin;
}

/** The origin of this site's own addresses. */
export function siteOrigin(): string {
  return typeof window === 'undefined' ? serverOrigin : window.location.origin;
}
