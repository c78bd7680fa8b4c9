/**
 * Downloads the files of a model from the Hugging Face Hub, or from a mirror with the same paths (https://huggingface.co/docs/hub/api). A revision
 * is a commit, whose files do not change. The Hub states a checksum of each file: SHA-256 of large files, and of others the hash that git has.
 */
import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { z } from 'zod';

const revisionSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.int().min(0),
    oid: z.string().regex(/^[0-9a-f]{40}$/),
    lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
  }),
);

export interface HubFile {
  path: string;
  bytes: number;
  checksum: { algorithm: 'sha256' | 'git'; hex: string };
}

/** Without any byte for so long, a download fails. */
const SILENCE_MS = 30_000;

export class HubClient {
  private readonly dispatcher = new EnvHttpProxyAgent({ headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });

  /** `url`: without a path, such as https://huggingface.co. */
  constructor(private readonly url: string) {}

  /** The commit that the repository has now. */
  async revisionOf(repository: string): Promise<string> {
    return revisionSchema.parse(await this.json(`/api/models/${repository}/revision/main`)).sha;
  }

  async filesOf(repository: string, revision: string): Promise<HubFile[]> {
    const tree = treeSchema.parse(await this.json(`/api/models/${repository}/tree/${revision}?recursive=true`));
    return tree
      .filter(({ type }) => type === 'file')
      .map(({ path, size, oid, lfs }) => ({
        path,
        bytes: size,
        checksum: lfs ? { algorithm: 'sha256', hex: lfs.oid } : { algorithm: 'git', hex: oid },
      }));
  }

  /** @throws an Error if the file has another length or checksum than the Hub states. */
  async download(
    repository: string,
    revision: string,
    { path, bytes, checksum }: HubFile,
    target: string,
    onBytes: (count: number) => void,
  ): Promise<void> {
    const { body } = await this.get(`/${repository}/resolve/${revision}/${path}`);
    const hash = hashOf(checksum.algorithm, bytes);
    let received = 0;
    const count = new Transform({
      transform(part: Buffer, _encoding, done) {
        received += part.length;
        hash.update(part);
        onBytes(part.length);
        if (received > bytes) done(new Error(`${path} is longer than the ${bytes} bytes that ${repository} states.`));
        else done(null, part);
      },
    });
    await pipeline(Readable.fromWeb(body as ReadableStream), count, createWriteStream(target)).catch((error: Error) => {
      if (received > bytes) throw error;
      throw new Error(`${path} broke off: ${reasonOf(error)}. Try again.`, { cause: error });
    });
    if (received !== bytes) throw new Error(`${path} ended after ${received} of ${bytes} bytes. Try again.`);
    if (hash.digest('hex') !== checksum.hex)
      throw new Error(`${path} differs from its checksum. Nothing was installed.`);
  }

  close(): Promise<void> {
    return this.dispatcher.close();
  }

  private async json(path: string): Promise<unknown> {
    return (await this.get(path)).json();
  }

  private async get(path: string) {
    const response = await fetch(`${this.url}${path}`, { dispatcher: this.dispatcher }).catch((error: Error) => {
      throw new Error(
        `${this.url} cannot be reached: ${reasonOf(error)}. On a machine without internet, copy the folder of a model here and run: npm run kiln -- models add <name> <folder>`,
        { cause: error },
      );
    });
    if (response.ok && response.body) return response;
    await response.body?.cancel();
    throw new Error(`${this.url}${path} answered with the status ${response.status}.`);
  }
}

/** `fetch` says no more than "fetch failed" or "terminated" itself. */
const reasonOf = ({ cause, message }: Error) => (cause instanceof Error ? cause.message : message);

function hashOf(algorithm: HubFile['checksum']['algorithm'], bytes: number): Hash {
  return algorithm === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${bytes}\0`);
}
