// PutObject and UploadPart without the SDK's pipeline. For a small object that pipeline costs more than all else that an
// upload does; for a part it waits to be asked for the bytes, on a connection of its own. Nothing in it is needed while all
// goes well. The SDK still says where a key lies, and takes over whenever it does not.
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import aws4 from 'aws4';
import { createHash } from 'node:crypto';
import { Pool } from 'undici';
import { CONNECT_TIMEOUT_MS, SOCKETS_MAX, type S3StoreConfig } from './s3-client.js';
import { PartConnections } from './s3-part-connections.js';
import { unquoted } from './s3-shapes.js';
import { protectsBodies } from './s3-unsigned-bodies.js';

/** Keys that look the same in a URL, a signature and a bucket, so that there is nothing to encode. Kiln's own all do. */
const PLAIN_KEY = /^[\w-]+(\/[\w-]+)*$/;

interface Place {
  pool: Pool;
  parts: PartConnections;
  host: string;
  /** Goes before the key. */
  path: string;
}

export interface PartPlace {
  Key: string;
  UploadId: string;
  PartNumber: number;
}

interface Target {
  key: string;
  /** Empty, or from its `?` on. */
  query: string;
  headers: Record<string, string>;
}

interface SignedPut {
  place: Place;
  path: string;
  headers: Record<string, string>;
}

export class LeanPut {
  readonly #config: S3StoreConfig;
  readonly #client: S3Client;
  readonly #hashesBodies: boolean;
  #place: Promise<Place> | undefined;

  /** `client` is asked for the address of the bucket, nothing else. */
  constructor(config: S3StoreConfig, client: S3Client) {
    this.#config = config;
    this.#client = client;
    this.#hashesBodies = !protectsBodies(config.endpoint);
  }

  /** One attempt. Answers the object's tag, or null when it did not succeed for whatever reason: then ask the SDK. */
  put(key: string, body: Buffer, contentType: string, signal: AbortSignal): Promise<string | null> {
    return this.#attempt({ key, query: '', headers: { 'Content-Type': contentType } }, body, async (signed) => {
      const { place, ...target } = signed;
      const answer = await place.pool.request({ method: 'PUT', ...target, body, signal });
      await answer.body.dump();
      return answer.statusCode === 200 ? answer.headers.etag : null;
    });
  }

  /** As `put`, for one part of an upload; answers the part's tag. */
  putPart({ Key, UploadId, PartNumber }: PartPlace, body: Buffer, signal: AbortSignal): Promise<string | null> {
    const query = `?partNumber=${PartNumber}&uploadId=${encodeURIComponent(UploadId)}`;
    return this.#attempt({ key: Key, query, headers: {} }, body, ({ place, path, headers }) =>
      place.parts.put(path, headers, body, signal),
    );
  }

  close(): void {
    const closing = this.#place?.then(({ pool, parts }) => {
      parts.close();
      return pool.close();
    });
    closing?.catch(() => undefined);
  }

  async #attempt(target: Target, body: Buffer, send: (signed: SignedPut) => Promise<unknown>): Promise<string | null> {
    if (!PLAIN_KEY.test(target.key)) return null;
    try {
      const etag = await send(await this.#sign(target, body));
      return typeof etag === 'string' ? unquoted(etag) : null;
    } catch {
      return null;
    }
  }

  async #sign({ key, query, headers: more }: Target, body: Buffer): Promise<SignedPut> {
    const place = await (this.#place ??= this.#find());
    const signed = aws4.sign(
      {
        service: 's3',
        region: this.#config.region,
        method: 'PUT',
        host: place.host,
        path: place.path + key + query,
        headers: {
          ...more,
          'Content-Length': body.length,
          'X-Amz-Content-Sha256': this.#hashesBodies ? sha256(body) : 'UNSIGNED-PAYLOAD',
        },
      },
      this.#config,
    );
    const { path: signedPath = '', headers } = signed;
    return { place, path: signedPath, headers: headers as Record<string, string> };
  }

  /** From a URL that the SDK made by its own rules for hosts, paths and regions. */
  async #find(): Promise<Place> {
    const command = new PutObjectCommand({ Bucket: this.#config.bucket, Key: 'key' });
    const url = new URL(await getSignedUrl(this.#client, command, { expiresIn: 60 }));
    const pool = new Pool(url.origin, { connections: SOCKETS_MAX, connect: { timeout: CONNECT_TIMEOUT_MS } });
    const parts = new PartConnections(url.origin);
    return { pool, parts, host: url.host, path: url.pathname.slice(0, -'key'.length) };
  }
}

const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
