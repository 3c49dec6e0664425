import { STORED_NAME } from './file-storage.js';

/** Where a bucket is. */
export interface S3Address {
  readonly bucket: string;
  /** Begins the name of each object, with a slash at its end; empty: nothing does. */
  readonly prefix: string;
  /** Origin of a server that speaks S3; null: that of AWS in the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Reads `s3://bucket/prefix?endpoint=https://…&region=…`. The endpoint is for other servers than those of AWS.
 * @throws Error whose message continues the name of the setting
 */
export function parseS3Address(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:') throw new Error('must look like s3://bucket/prefix?endpoint=https://…&region=….');
  if (url.username || url.password) {
    throw new Error('must not contain a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  if (!BUCKET.test(url.hostname))
    throw new Error('must name a bucket: 3 to 63 small letters, digits, dots and hyphens.');
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !STORED_NAME.test(prefix)) {
    throw new Error('must have a prefix of letters, digits, dots, underscores and hyphens.');
  }
  const { endpoint = null, region = 'us-east-1', ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`has the unknown part "${unknown}": endpoint and region are known.`);
  const server = endpoint !== null && URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (endpoint !== null && (!server || !/^https?:$/.test(server.protocol) || server.pathname !== '/')) {
    throw new Error('must have an endpoint such as https://s3.example.com.');
  }
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: server?.origin ?? null,
    region,
  };
}
