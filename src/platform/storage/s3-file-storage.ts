import { createHash } from 'node:crypto';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { SpanKind } from '@opentelemetry/api';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { ConfigError } from '../config/config.js';
import { DomainError } from '../domain-error.js';
import { traced } from '../tracing/spans.js';
import { checkStoredName, FileStorage, type StoredFolder } from './file-storage.js';
import { type S3Address } from './s3-address.js';

/** Time limit of a connection, milliseconds. */
const CONNECTION_MS = 2_000;

/** Time limits of one try, and of a request with all its tries, milliseconds. */
export interface S3Times {
  readonly tryMs: number;
  readonly requestMs: number;
}

const PICTURE_TIMES: S3Times = { tryMs: 5_000, requestMs: 15_000 };
/** Seals of a million accounts are files of 140 MB. */
export const RECORD_TIMES: S3Times = { tryMs: 120_000, requestMs: 300_000 };

/** How long browsers can read a file at its signed address (seconds). */
const SIGNED_S = 60;

/** Folder of the bucket that has no pictures: `openRecords` keeps copies of files of the ledger there. */
export const RECORDS_FOLDER = 'ledger';

/** Metadata of each object: the SHA-256 of the bytes that were stored, in hexadecimal. */
const SHA256 = 'sha256';

/** The bucket did not do what it was asked for. `cause` says why in a sentence, which the caller does not read. */
export class BucketError extends DomainError {
  constructor(sentence: string, cause: unknown) {
    super('unavailable', 'Pictures cannot be stored or read at the moment. Please try again in a moment.', {
      retryAfterSeconds: 5,
      cause: new Error(sentence, { cause }),
    });
  }
}

/**
 * Files in a bucket of AWS, R2, MinIO, Ceph or another server that speaks S3. An object exists completely or not at
 * all, and is durable when it is stored. The keys are those of AWS's environment (`AWS_ACCESS_KEY_ID` and others).
 */
export class S3FileStorage extends FileStorage {
  private readonly client: S3Client;

  constructor(
    private readonly address: S3Address,
    private readonly delivery: 'app' | 'redirect',
    private readonly times: S3Times = PICTURE_TIMES,
  ) {
    super();
    const { endpoint, region } = address;
    this.client = new S3Client({
      region,
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      // Newer checksums are unknown to some servers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: times.tryMs, throwOnRequestTimeout: true },
    });
    this.client.middlewareStack.add(
      (next, { commandName }) =>
        (request) =>
          traced(`S3 ${commandName}`, { kind: SpanKind.CLIENT }, () => next(request)),
      // A signed address is made without a request, and comes to no such step.
      { step: 'deserialize', name: 'traced' },
    );
  }

  /** @throws ConfigError when the bucket is missing, does not answer, or refuses the key */
  async check(): Promise<void> {
    const { bucket } = this.address;
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: bucket }), {
        abortSignal: AbortSignal.timeout(this.times.requestMs),
      });
    } catch (error) {
      const isMissing = statusOf(error) === 404;
      throw new ConfigError(`MEDIA_URL: ${isMissing ? missingBucket(bucket) : this.sentenceOf(error)}`);
    }
  }

  override async put(name: string, bytes: Buffer, contentType: string): Promise<void> {
    const command = new PutObjectCommand({
      ...this.object(name),
      Body: bytes,
      ContentType: contentType,
      Metadata: { [SHA256]: sha256(bytes) },
      // The server refuses other bytes than these.
      ContentMD5: createHash('md5').update(bytes).digest('base64'),
    });
    await this.request((options) => this.client.send(command, options));
  }

  override async get(name: string): Promise<Buffer | null> {
    return this.unlessMissing(async (options) => {
      const { Body, Metadata } = await this.client.send(new GetObjectCommand(this.object(name)), options);
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      if ((Metadata?.[SHA256] ?? sha256(bytes)) !== sha256(bytes)) {
        throw new Error(`The bucket has other bytes of ${name} than were stored (${bytes.length}).`);
      }
      return bytes;
    });
  }

  /** Compares size, and the hash with which the bytes were stored. */
  override async holds(name: string, bytes: Buffer): Promise<boolean> {
    const found = await this.unlessMissing((options) =>
      this.client.send(new HeadObjectCommand(this.object(name)), options),
    );
    return found?.ContentLength === bytes.length && found.Metadata?.[SHA256] === sha256(bytes);
  }

  override async has(name: string): Promise<boolean> {
    const found = await this.unlessMissing((options) =>
      this.client.send(new HeadObjectCommand(this.object(name)), options),
    );
    return found !== null;
  }

  override async addressOf(name: string, contentType: string): Promise<string | null> {
    if (this.delivery === 'app') return null;
    const command = new GetObjectCommand({
      ...this.object(name),
      ResponseContentType: contentType,
      ResponseCacheControl: `private, max-age=${SIGNED_S}`,
    });
    return getSignedUrl(this.client, command, { expiresIn: SIGNED_S });
  }

  override async origins(): Promise<string[]> {
    const address = await this.addressOf('any/1.webp', 'image/webp');
    return address === null ? [] : [new URL(address).origin];
  }

  override async copy(from: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.object(from);
    const copied = await this.unlessMissing((options) =>
      this.client.send(new CopyObjectCommand({ ...this.object(to), CopySource: `${Bucket}/${Key}` }), options),
    );
    return copied !== null;
  }

  override async delete(name: string): Promise<void> {
    await this.request((options) => this.client.send(new DeleteObjectCommand(this.object(name)), options));
  }

  /** The names of a folder follow each other in the list. */
  override async *folders(): AsyncGenerator<StoredFolder> {
    let folder: StoredFolder | null = null;
    for await (const { name, changedAt } of this.list('')) {
      const [first = ''] = name.split('/');
      if (first === RECORDS_FOLDER) continue;
      if (folder && folder.name !== first) yield folder;
      const before: Date = folder?.name === first ? folder.changedAt : changedAt;
      folder = { name: first, changedAt: before > changedAt ? before : changedAt };
    }
    if (folder) yield folder;
  }

  override async deleteFolder(name: string): Promise<void> {
    checkStoredName(name);
    for await (const file of this.list(`${name}/`)) await this.delete(file.name);
  }

  private object(name: string): { readonly Bucket: string; readonly Key: string } {
    checkStoredName(name);
    return { Bucket: this.address.bucket, Key: this.address.prefix + name };
  }

  private async *list(below: string): AsyncGenerator<StoredFolder> {
    const { bucket, prefix } = this.address;
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: bucket, Prefix: prefix + below });
    for (;;) {
      const page = await this.request(() => pages.next());
      if (page.done) return;
      for (const { Key = '', LastModified = new Date(0) } of page.value.Contents ?? []) {
        yield { name: Key.slice(prefix.length), changedAt: LastModified };
      }
    }
  }

  /** Null when there is no such object. */
  private async unlessMissing<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T | null> {
    return this.request(async (options) => {
      try {
        return await send(options);
      } catch (error) {
        if (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket') return null;
        throw error;
      }
    });
  }

  /** @throws BucketError */
  private async request<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    try {
      return await send({ abortSignal: AbortSignal.timeout(this.times.requestMs) });
    } catch (error) {
      // Of an invalid name
      if (error instanceof RangeError) throw error;
      throw new BucketError(this.sentenceOf(error), error);
    }
  }

  private sentenceOf(error: unknown): string {
    const { bucket, endpoint, region } = this.address;
    const name = nameOf(error);
    const status = statusOf(error);
    if (status === null && error instanceof Error && error.message.startsWith('The bucket')) return error.message;
    if (name === 'NoSuchBucket') return missingBucket(bucket);
    // Some servers answer 403 to a file for which there is no room.
    if (status === 507 || /full|quota/i.test(name)) return `The bucket "${bucket}" is full (${name}).`;
    if (status === 401 || status === 403) return `The bucket "${bucket}" refuses the key (${name}).`;
    if (name === 'CredentialsProviderError')
      return 'No key for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
    if (status === null)
      return `The bucket "${bucket}" does not answer at ${endpoint ?? `AWS in ${region}`} (${name}).`;
    return `The bucket "${bucket}" answered ${status} (${name}).`;
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function missingBucket(bucket: string): string {
  return `The bucket "${bucket}" does not exist.`;
}

function statusOf(error: unknown): number | null {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
