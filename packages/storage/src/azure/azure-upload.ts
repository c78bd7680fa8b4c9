// Uploads an object to Azure: with Put Blob, or as staged blocks that a block list then commits.
import type { PutOptions } from '../object-store.port.js';
import type { PartsPlan, PartsUpload, UploadProtocol } from '../upload-body.js';
import { blockIdOf, newUploadId } from './azure-parts.js';
import type { AzureRequests } from './azure-requests.js';
import { unquoted } from './azure-shapes.js';

export const azureParts: PartsPlan = { partBytes: 8 * 1024 * 1024, partsMax: 50_000, partsInFlight: 3 };

export function azureUpload(requests: AzureRequests, key: string, { contentType, signal }: PutOptions): UploadProtocol {
  return {
    ...azureParts,
    async putWhole(body) {
      const options = { blobHTTPHeaders: { blobContentType: contentType } };
      const send = (abortSignal: AbortSignal) =>
        requests.blob(key).upload(body, body.length, { ...options, abortSignal });
      return unquoted((await requests.run(`putting ${key}`, send, { signal })).etag);
    },
    begin: async () => new AzurePartsUpload(requests, key, contentType, signal),
  };
}

class AzurePartsUpload implements PartsUpload {
  /** Concurrent uploads of an object share its uncommitted blocks, so their names must be unique. */
  readonly #uploadId = newUploadId();
  readonly #blockIds: string[] = [];

  constructor(
    private readonly requests: AzureRequests,
    private readonly key: string,
    private readonly contentType: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async sendPart(partNumber: number, part: Buffer): Promise<void> {
    const blockId = blockIdOf(this.#uploadId, partNumber);
    const send = (abortSignal: AbortSignal) =>
      this.requests.blob(this.key).stageBlock(blockId, part, part.length, { abortSignal });
    await this.requests.run(`uploading part ${partNumber}`, send, { signal: this.signal });
    this.#blockIds[partNumber - 1] = blockId;
  }

  async complete(): Promise<string> {
    const options = { blobHTTPHeaders: { blobContentType: this.contentType } };
    const send = (abortSignal: AbortSignal) =>
      this.requests.blob(this.key).commitBlockList(this.#blockIds, { ...options, abortSignal });
    return unquoted((await this.requests.run('completing the upload', send, { signal: this.signal })).etag);
  }

  /** Does nothing: Azure deletes uncommitted blocks after a week, or with the next commit. */
  async abandon(): Promise<void> {}
}
