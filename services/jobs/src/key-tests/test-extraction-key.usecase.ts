// Tests an organization's own key for a provider of extraction, or its own extractor, with a small file.
import {
  encodeId,
  notFound,
  type CallContext,
  type ExtractionRequest,
  type KeyTest,
  type WorkerInput,
} from '@kiln/contracts';
import type { ExtractionProvider } from '@kiln/extraction';
import { KEY_NOT_USED, testKey } from '@kiln/model-clients/http/key-test';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import type { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import type { ObjectStore } from '@kiln/storage';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { ExtractorClient } from '../extractions/extractor-client.adapter.js';
import { OUTPUT_BYTES_MAX } from '../extractions/result-limits.domain.js';
import type { ExtractorAddress } from '../organization/policies/run-policy.domain.js';
import type { SealedProviderKeys } from '../organization/provider-keys/sealed-provider-keys.service.js';
import type { ExtractionEngines } from '../runs/engines/extraction-engines.service.js';
import { sampleFiles } from './sample-files.domain.js';

export interface TestExtractionKeyParts {
  engines: Pick<ExtractionEngines, 'chainFor'>;
  keys: Pick<SealedProviderKeys, 'open'>;
  objects: Pick<ObjectStore, 'put' | 'signGet' | 'delete'>;
  /** Connects to addresses that the outbound policy allows. */
  outsideHttp: ProviderHttp;
  scratchDirectory: string;
}

/** How long the URL of the sample file is valid. */
const URL_SECONDS = 60;

/** Sends one request. Files go into the directory. */
type Call = (directory: string, signal: AbortSignal) => Promise<unknown>;

export class TestExtractionKey {
  constructor(private readonly parts: TestExtractionKeyParts) {}

  /** Throws NOT_FOUND without a key. */
  async execute(
    { provider }: WorkerInput<'testExtractionKey'>,
    { tenantId, deadlineAt }: Pick<CallContext, 'tenantId' | 'deadlineAt'>,
  ): Promise<KeyTest> {
    const own = await this.parts.keys.open(tenantId, provider);
    if (own === null) throw notFound('This provider has no key of yours.');
    const { key, url } = own;
    const call =
      url === null
        ? this.engineCall(provider, key, tenantId)
        : this.extractorCall(provider, { url, secret: key }, tenantId);
    if (call === null) return KEY_NOT_USED;
    const directory = await mkdtemp(join(this.parts.scratchDirectory, 'key-test-'));
    try {
      return await testKey((signal) => call(directory, signal), deadlineAt);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Null if the operator has configured no server for such keys. */
  private engineCall(provider: ExtractionProvider, ownKey: string, owner: string): Call | null {
    const chosen = this.parts.engines.chainFor(provider, { isTest: false, ownKey });
    if (chosen?.key !== 'organization') return null;
    const { filename, contentType, bytes } = sampleFiles[provider];
    return async (directory, signal) => {
      const path = join(directory, 'source');
      await writeFile(path, bytes);
      const input = { path, filename, contentType, outputDirectory: directory, owner };
      await chosen.chain.run((engine) => engine.extract(input, signal), signal);
    };
  }

  /** An extractor that answers later has accepted the request with 202. No result is expected from it. */
  private extractorCall(provider: ExtractionProvider, { url, secret }: ExtractorAddress, tenantId: string): Call {
    const { objects, outsideHttp } = this.parts;
    const { filename, contentType, bytes } = sampleFiles[provider];
    const endpoint = providerEndpoint(provider, { baseUrl: url, keyOwner: 'organization' });
    const client = new ExtractorClient({ http: outsideHttp, endpoint, secret, deadlineMs: URL_SECONDS * 1_000 });
    return async (directory, signal) => {
      const id = uuidv7();
      const key = `${tenantId}/${id}/key-test`;
      await objects.put(key, bytes, { contentType, signal });
      try {
        const expiresAt = new Date(Date.now() + URL_SECONDS * 1_000).toISOString();
        const file = {
          url: await objects.signGet(key, { expiresSeconds: URL_SECONDS }),
          url_expires_at: expiresAt,
          filename,
          content_type: contentType,
          size_bytes: bytes.length,
        };
        const answer = { callback_url: null, callback_deadline: expiresAt };
        const options = { provider, output_bytes_max: OUTPUT_BYTES_MAX };
        const request: ExtractionRequest = { id: encodeId('extraction', id), file, ...answer, options };
        await client.ask(request, join(directory, 'answer'), signal);
      } finally {
        await objects.delete(key);
      }
    };
  }
}
