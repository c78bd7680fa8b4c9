// Implements ExternalBucket with a bucket of packages/storage, and translates its errors for the owner of the bucket.
import { ETAG_LENGTH_MAX } from '@kiln/contracts';
import type { NodeAgents } from '@kiln/outbound';
import { secondsSigned, StorageError, type Bucket, type ListedObject, type ObjectHead } from '@kiln/storage';
import type { Readable } from 'node:stream';
import { bucketErrorOf } from './bucket-failure.errors.js';
import { BucketError } from './domain/bucket-error.js';
import { versionByTime } from './domain/object-version.js';
import { SIGNED_URL_SECONDS } from './domain/signed-url-life.js';
import type {
  BucketObject,
  BucketPage,
  ListRequest,
  ExternalBucket,
  OwnUrl,
  SignedUpload,
  SignedUrl,
  UrlAnswer,
} from './external-bucket.port.js';
import { answerOf } from './url-answer.adapter.js';

const objectOf = (
  key: string,
  { sizeBytes, etag, lastModified }: Omit<ObjectHead, 'contentType'>,
  contentType: string | null,
): BucketObject => {
  const time = wholeSeconds(lastModified);
  return { key, sizeBytes, etag: etag === '' ? versionByTime(time) : etag, lastModified: time, contentType };
};

const listedObjectOf = ({ isDirectory, archivedIn, storageClass, ...object }: ListedObject): BucketObject => ({
  ...objectOf(object.key, object, null),
  ...(isDirectory && { isDirectory }),
  ...(archivedIn && { archivedIn }),
  ...(storageClass && { storageClass }),
});

/** Applies to single objects only: in a listing, one invalid object must not hide the others. */
function singleObjectOf(key: string, head: ObjectHead): BucketObject {
  if (head.etag.length > ETAG_LENGTH_MAX) throw new BucketError('refused', 'The ETag of the object is too long.');
  return objectOf(key, head, head.contentType);
}

/** The header of a single object has no fractions of a second, so listings must not have them either. */
const wholeSeconds = (time: Date): Date => new Date(Math.floor(time.getTime() / 1_000) * 1_000);

const NO_LINKS =
  'The connection signs in with a shared access signature, which cannot be narrowed to one object: a link would contain all of them. ' +
  'Connect with an application in Microsoft Entra ID, or with a key of the account.';

/** The longest keys are Azure's, with 1,024 characters. */
const KEY_BYTES_MAX = 4_096;

/** An external store may answer anything. */
const isKeyUnder = (prefix: string, key: string): boolean =>
  key !== '' && key.startsWith(prefix) && Buffer.byteLength(key) <= KEY_BYTES_MAX;

export class StorageBucketAdapter implements ExternalBucket {
  constructor(
    private readonly bucket: Bucket,
    private readonly secrets: readonly string[],
    /** The connections of the bucket; closed with it. */
    private readonly agents: NodeAgents,
    private readonly requestTimeoutMs: number,
  ) {}

  get keyOrders(): ExternalBucket['keyOrders'] {
    return this.bucket.keyOrders;
  }

  list({ prefix, cursor, startAfter, delimiter, limit, signal }: ListRequest): Promise<BucketPage> {
    return this.run(async () => {
      const options = {
        limit,
        signal,
        ...(cursor && { cursor }),
        ...(startAfter && { startAfter }),
        ...(delimiter && { delimiter }),
      };
      const { objects, prefixes, nextCursor } = await this.bucket.list(prefix, options);
      if (objects.length > limit || objects.some(({ key }) => !isKeyUnder(prefix, key))) {
        throw new BucketError('refused', 'The store listed objects outside the request.');
      }
      return { objects: objects.map(listedObjectOf), prefixes, next: nextCursor };
    });
  }

  head(key: string): Promise<BucketObject | null> {
    return this.run(async () => {
      const head = await this.bucket.head(key);
      return head && singleObjectOf(key, head);
    });
  }

  read(key: string, signal?: AbortSignal): Promise<{ object: BucketObject; body: Readable } | null> {
    return this.run(async () => {
      try {
        const { body, ...head } = await this.bucket.get(key, signal && { signal });
        return { object: singleObjectOf(key, head), body };
      } catch (error) {
        if (error instanceof StorageError && error.code === 'not_found') return null;
        throw error;
      }
    });
  }

  async ownUrl(key: string): Promise<OwnUrl> {
    const url = this.bucket.ownUrl?.(key);
    if (url !== undefined) return { url, holdsCredentials: true };
    return { url: (await this.signedGet(key, { seconds: SIGNED_URL_SECONDS })).url, holdsCredentials: false };
  }

  signedGet(key: string, { seconds, filename }: { seconds: number; filename?: string }): Promise<SignedUrl> {
    return this.run(async () => {
      this.assertSigns();
      const expiresSeconds = await secondsSigned(this.bucket, seconds);
      const url = await this.bucket.signGet(key, { expiresSeconds, ...(filename && { filename }) });
      return { url, expiresInSeconds: expiresSeconds };
    });
  }

  signedPut(
    key: string,
    { seconds, contentType, sizeBytes }: { seconds: number; contentType?: string; sizeBytes?: number },
  ): Promise<SignedUpload> {
    const bound = { ...(contentType && { contentType }), ...(sizeBytes !== undefined && { sizeBytes }) };
    return this.run(async () => {
      this.assertSigns();
      const expiresSeconds = await secondsSigned(this.bucket, seconds);
      return {
        ...(await this.bucket.signPut(key, { expiresSeconds, ...bound })),
        expiresInSeconds: expiresSeconds,
      };
    });
  }

  otherRegion(): Promise<string | null> {
    return this.run(() => this.bucket.otherRegion());
  }

  tryUrl(url: string): Promise<UrlAnswer> {
    return this.run(() => answerOf(url, this.agents, this.requestTimeoutMs));
  }

  close(): void {
    this.bucket.close();
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private assertSigns(): void {
    if (this.bucket.ownUrl) throw new BucketError('refused', NO_LINKS);
  }

  private async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw bucketErrorOf(error, this.secrets);
    }
  }
}
