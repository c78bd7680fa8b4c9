// The extractors of organizations: one for each run that needs it, with a breaker for each address.
import { encodeId, type ExtractionRequest } from '@kiln/contracts';
import type { ExtractionProvider, Sandbox } from '@kiln/extraction';
import { EngineBreaker } from '@kiln/model-clients/admission/engine-breaker';
import { FallbackChain, type ChainOptions } from '@kiln/model-clients/admission/fallback-chain';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import type { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { signIds, type ExtractorConfig, type Signer } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import QuickLRU from 'quick-lru';
import type { ExtractorAddress } from '../organization/policies/run-policy.domain.js';
import type { EngineAdmissions } from '../engines/engine-admissions.service.js';
import { BucketRefusalError, notOpened } from '../runs/bucket/bucket-failure.errors.js';
import { PREFIXES, type ChosenChain } from '../runs/engines/extraction-engines.service.js';
import type { RunContext } from '../runs/run-context.port.js';
import { replacedBytes } from '../runs/steps/source-file.service.js';
import type { AskedExtraction } from './asked-extraction.domain.js';
import type { ExtractionStore } from './extraction.store.js';
import { ExtractorClient } from './extractor-client.adapter.js';
import { OwnExtractor } from './own-extractor.adapter.js';
import { OUTPUT_BYTES_MAX } from './result-limits.domain.js';

export interface OwnExtractorsParts {
  config: ExtractorConfig;
  /** Connects to addresses that the outbound policy allows. */
  http: ProviderHttp;
  objects: Pick<ObjectStore, 'get' | 'head' | 'signGet'>;
  extractions: ExtractionStore;
  sandbox: Pick<Sandbox, 'extract'>;
  callbacks: CallbackOptions;
  admissions: Pick<EngineAdmissions, 'admissionFor'>;
  onFailure: NonNullable<ChainOptions['onFailure']>;
}

export interface CallbackOptions {
  /** For callback URLs, as the gateway opens them. */
  signer: Signer;
  /** The address of the gateway. Undefined: results must come at once. */
  publicUrl: string | undefined;
  /** Seconds that a result may take. */
  seconds: number;
}

/** A job that waits longer for an extractor returns to the queue. */
const PATIENCE_MS = 20_000;
const BREAKERS_MAX = 1_000;

const NO_LINK =
  'An own extractor reads a file by a link, and the connection of this file signs in with a shared access signature, which gives none. Connect the ' +
  'container with an application in Microsoft Entra ID, or with a key of the account.';

export class OwnExtractors {
  private readonly breakers = new QuickLRU<string, EngineBreaker>({ maxSize: BREAKERS_MAX });

  constructor(private readonly parts: OwnExtractorsParts) {}

  /** One link, without a fallback: the organization decides where its documents go. */
  chainFor(
    context: RunContext,
    provider: ExtractionProvider,
    { url, secret }: ExtractorAddress,
  ): ChosenChain<OwnExtractor> {
    const { config, http, extractions, objects, sandbox, callbacks, onFailure } = this.parts;
    const endpoint = { ...providerEndpoint(provider, { baseUrl: url, keyOwner: 'organization' }), provider };
    const { tenant_id: tenantId, id: jobId, fence } = context.job;
    const engine = new OwnExtractor({
      endpoint,
      client: new ExtractorClient({ http, endpoint, secret, deadlineMs: config[`${PREFIXES[provider]}_DEADLINE_MS`] }),
      extractions,
      objects,
      sandbox,
      lease: { tenantId, jobId, fence },
      callbackSeconds: callbacks.seconds,
      requestOf: (asked) => this.requestOf(context, asked),
    });
    const remote = { endpoint, breaker: this.breakerFor(provider, url, tenantId) };
    const chain = new FallbackChain([{ name: engine.name, engine, remote }], { onFailure });
    return { chain, key: 'organization' };
  }

  private breakerFor(provider: ExtractionProvider, url: string, tenantId: string): EngineBreaker {
    const key = `${provider} ${tenantId} ${url}`;
    const kept = this.breakers.get(key);
    if (kept) return kept;
    const prefix = PREFIXES[provider];
    const limits = {
      concurrency: this.parts.config[`${prefix}_CONCURRENCY`],
      requestsPerMinute: this.parts.config[`${prefix}_REQUESTS_PER_MINUTE`] ?? null,
      patienceMs: PATIENCE_MS,
    };
    const breaker = new EngineBreaker({
      ...limits,
      admission: this.parts.admissions.admissionFor({ provider, url, owner: tenantId }, limits),
    });
    this.breakers.set(key, breaker);
    return breaker;
  }

  private async requestOf({ file, job, source }: RunContext, asked: AskedExtraction): Promise<ExtractionRequest> {
    const { objects, callbacks } = this.parts;
    const { signer, publicUrl, seconds } = callbacks;
    const isReplaced = async (etag: string) => (await objects.head(file.source_key))?.etag !== etag;
    if (!source && file.source_etag !== null && (await isReplaced(file.source_etag))) throw replacedBytes();
    const options = { expiresSeconds: seconds, etag: file.source_etag ?? undefined };
    if (source?.url === null) throw notOpened(source);
    if (source?.url_holds_credentials) throw new BucketRefusalError('provider_unauthorized', NO_LINK);
    const signed = source ? source.url : await objects.signGet(file.source_key, options);
    const token = signIds(signer, [job.tenant_id, job.id, asked.id]);
    return {
      id: encodeId('extraction', asked.id),
      file: {
        url: signed,
        url_expires_at: source ? null : new Date(Date.now() + seconds * 1_000).toISOString(),
        filename: file.filename,
        content_type: file.content_type ?? 'application/octet-stream',
        size_bytes: file.size_bytes,
      },
      callback_url: publicUrl === undefined ? null : `${publicUrl.replace(/\/+$/, '')}/v1/extractions/${token}`,
      callback_deadline: asked.deadline_at,
      options: { provider: asked.provider, output_bytes_max: OUTPUT_BYTES_MAX },
    };
  }
}
