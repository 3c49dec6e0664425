import { type IncomingMessage, ServerResponse } from 'node:http';

/** Browsers that came once use HTTPS only, for a year. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

export interface SecurityHeaderOptions {
  readonly contentSecurityPolicy: string;
  /** Browsers reach the app by HTTPS: a proxy in front terminates TLS. */
  readonly https: boolean;
}

export type SecurityHeaders = Readonly<Record<string, string>>;

/** Returns the headers of every answer, errors of the protocol included. */
export function securityHeaders({ contentSecurityPolicy, https }: SecurityHeaderOptions): SecurityHeaders {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Content-Security-Policy': contentSecurityPolicy,
    ...(https && { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY }),
  };
}

/**
 * Creates the class of the server's responses. Node, Fastify and Nest answer some requests before any hook runs, so
 * each response is created with the headers.
 */
export function responseWith(headers: SecurityHeaders): typeof ServerResponse {
  return class SecuredResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    // Node passes options as well, which its types do not name.
    constructor(...args: [request: Request]) {
      super(...args);
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    }
  };
}
