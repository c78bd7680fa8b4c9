// Reads a bucket of the S3 family and signs URLs for it. Both Kiln's own bucket and external buckets use it.
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { rangeHeader } from '../byte-range.js';
import { withIdleDeadline } from '../deadline.js';
import { utf8Order } from '../key-order.js';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import type {
  GetOptions,
  ListOptions,
  ObjectBody,
  ObjectHead,
  ObjectPage,
  SignedPut,
  SignGetOptions,
  SignPutOptions,
} from '../object-store.port.js';
import { onlyAfter } from '../only-after.js';
import { StorageError } from '../storage.errors.js';
import { reportedRegion } from './s3-region.js';
import { isMissing, isUnreadable } from './s3-errors.js';
import type { S3Requests } from './s3-requests.js';
import { headOf, pageOf, type HeadLike } from './s3-shapes.js';
import { signGetUrl, signPutUrl } from './s3-signed-urls.js';

const PAGE_KEYS_MAX = 1000;

export class S3Reading {
  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html, general purpose buckets. */
  readonly keyOrders = [utf8Order];

  constructor(
    protected readonly requests: S3Requests,
    /** Signs URLs with the public host. Makes no requests. */
    protected readonly signer: S3Client,
    /** Other stores than AWS do not report whether an archived object is restored, and some refuse the question. */
    private readonly reportsRestores = false,
  ) {}

  async get(key: string, options: GetOptions = {}): Promise<ObjectBody> {
    const command = new GetObjectCommand({
      Bucket: this.requests.bucket,
      Key: key,
      ...(options.range && { Range: rangeHeader(options.range) }),
    });
    const answer = await this.requests.run(
      `getting ${key}`,
      (abortSignal) => this.requests.client.send(command, { abortSignal }),
      { signal: options.signal },
    );
    const body = answer.Body;
    if (!(body instanceof Readable)) throw new StorageError('unavailable', `getting ${key}: the response has no body`);
    return { ...headOf(answer), body: withIdleDeadline(body, this.requests.timeoutMs, options.signal) };
  }

  async head(key: string): Promise<ObjectHead | null> {
    const command = new HeadObjectCommand({ Bucket: this.requests.bucket, Key: key });
    const answer = await this.requests.run<HeadLike | null>(`looking up ${key}`, (abortSignal) =>
      this.requests.client.send(command, { abortSignal }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    );
    return answer === null ? null : headOf(answer);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectPage> {
    const command = new ListObjectsV2Command({
      Bucket: this.requests.bucket,
      Prefix: prefix,
      MaxKeys: Math.min(options.limit ?? PAGE_KEYS_MAX, PAGE_KEYS_MAX),
      EncodingType: 'url', // XML cannot represent every character of a key
      ...(options.cursor !== undefined
        ? { ContinuationToken: options.cursor }
        : options.startAfter !== undefined && { StartAfter: options.startAfter }),
      ...(options.delimiter !== undefined && { Delimiter: options.delimiter }),
      ...(this.reportsRestores && { OptionalObjectAttributes: ['RestoreStatus'] }),
    });
    const send = (abortSignal: AbortSignal) =>
      this.requests.client.send(command, { abortSignal }).catch((error: unknown) => {
        throw isUnreadable(error)
          ? new ListingNotProvenError('the response cannot be parsed', { cause: error })
          : error;
      });
    const answer = await this.requests.run('listing', send, { signal: options.signal });
    return onlyAfter(pageOf(answer), options.startAfter);
  }

  async signPut(key: string, options: SignPutOptions): Promise<SignedPut> {
    return signPutUrl(this.signer, this.requests.bucket, key, options);
  }

  async signGet(key: string, options: SignGetOptions): Promise<string> {
    return signGetUrl(this.signer, this.requests.bucket, key, options);
  }

  async keysExpireAt(): Promise<Date | null> {
    const find = () => this.signer.config.credentials();
    const { expiration } = await this.requests.run('getting keys', find);
    return expiration ?? null;
  }

  async otherRegion(): Promise<string | null> {
    const reported = await reportedRegion(this.requests);
    return reported === (await this.signer.config.region()) ? null : reported;
  }

  close(): void {
    this.requests.client.destroy();
    this.signer.destroy();
  }
}
