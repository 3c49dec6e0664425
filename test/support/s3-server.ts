import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type S3Address } from '../../src/platform/storage/s3-address.js';

/** A server that speaks S3, with one bucket. It does not check who asks. */
export interface S3Server {
  readonly address: S3Address;
  /** The setting of the app. */
  readonly url: string;
  /** Answers requests in place of the server, as long as it returns true. */
  intercept: (...request: Parameters<RequestListener>) => boolean;
  /** All requests since the start, as `GET /bucket/name`. */
  readonly requests: string[];
  close(): Promise<void>;
}

const BUCKET = 'pictures';

// The key of the server's documentation
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'fanvas-s3-'));
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] });
  await s3.configureBuckets();
  const answer = s3.callback();
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (!started.intercept(request, response)) answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: S3Server = {
    address: { bucket: BUCKET, prefix: 'media/', endpoint, region: 'us-east-1' },
    url: `s3://${BUCKET}/media?endpoint=${encodeURIComponent(endpoint)}`,
    intercept: () => false,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(directory, { recursive: true, force: true });
    },
  };
  return started;
}
