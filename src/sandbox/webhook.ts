import { createHmac } from 'node:crypto';

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Posts a signed webhook.
 * @returns the status of the response
 * @throws Error when the receiver does not respond within ten seconds, or `stop` is aborted
 */
export async function postWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Whether a status acknowledges a webhook. */
export const isAcknowledged = (status: number): boolean => status >= 200 && status < 300;

/** Svix's scheme: base64 HMAC-SHA256 of `<id>.<seconds>.<body>` under the decoded secret. */
function signWebhook(secret: string, id: string, timestampSeconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
}

/** The headers of Svix's scheme. Their names begin with `prefix`. @param now milliseconds since the epoch */
export function signedHeaders(
  prefix: 'svix' | 'webhook',
  secret: string,
  message: { readonly id: string; readonly body: string },
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000);
  return {
    [`${prefix}-id`]: message.id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: signWebhook(secret, message.id, timestamp, message.body),
  };
}
