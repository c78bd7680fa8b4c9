// Uploads an object in one request (PutObject) without the SDK's middleware, which takes more CPU time than the rest of a small upload. The
// SDK still provides the address, the signature and the connections. When this single attempt fails, the caller repeats it with the SDK.
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { once } from 'node:events';
import { unquoted } from './s3-shapes.js';

/** Keys that need no encoding in a URL or a signature. All keys that Kiln creates match. */
const PLAIN_KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

type RequestHandler = S3Client['config']['requestHandler'];
type HttpRequest = Parameters<RequestHandler['handle']>[0];

/** The part of the address that all requests share. */
type Place = Pick<HttpRequest, 'protocol' | 'hostname' | 'path'> & { port?: number; host: string };

export class SinglePartUpload {
  #place: Promise<Place> | undefined;
  #signer: ReturnType<S3Client['config']['signer']> | undefined;

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly hashesBodies: boolean,
  ) {}

  /** Makes one attempt. Returns the tag of the object, or null when the attempt failed: then use the SDK. */
  async put(key: string, body: Buffer, contentType: string, abortSignal: AbortSignal): Promise<string | null> {
    if (!PLAIN_KEY.test(key)) return null;
    try {
      const { requestHandler } = this.client.config;
      const request = await this.#signed(key, body, contentType);
      const { response } = await requestHandler.handle(request, { abortSignal });
      if (response.statusCode !== 200) {
        response.body.destroy(); // the store may respond before it has read the whole body
        return null;
      }
      await once(response.body.resume(), 'end');
      const { etag } = response.headers;
      return etag === undefined ? null : unquoted(etag);
    } catch {
      return null;
    }
  }

  async #signed(key: string, body: Buffer, contentType: string): Promise<HttpRequest> {
    const { host, path, ...place } = await (this.#place ??= this.#find());
    const headers = {
      host,
      'content-type': contentType,
      'content-length': String(body.length),
      ...(!this.hashesBodies && { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }),
    };
    const signer = await (this.#signer ??= this.client.config.signer());
    return signer.sign({ ...place, method: 'PUT', path: path + key, query: {}, headers, body }) as Promise<HttpRequest>;
  }

  /** Takes the address from a URL that the SDK signed, which applies the SDK's rules for hosts, paths and regions. */
  async #find(): Promise<Place> {
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: 'key' });
    const url = new URL(await getSignedUrl(this.client, command, { expiresIn: 60 }));
    const { protocol, hostname, host, port } = url;
    return {
      protocol,
      hostname,
      host,
      path: url.pathname.slice(0, -'key'.length),
      ...(port && { port: Number(port) }),
    };
  }
}
