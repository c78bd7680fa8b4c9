// Chooses the engines that read a file: those that the operator has configured for its provider, or the one that the organization has its
// own key for. The local engine always runs in the sandbox.
import type { Extractor, ExtractionProvider } from '@kiln/extraction';
import { DoclingExtractor } from '@kiln/extraction/remote/docling-extractor';
import { EngineBreaker } from '@kiln/model-clients/admission/engine-breaker';
import { FallbackChain, type ChainLink, type ChainOptions } from '@kiln/model-clients/admission/fallback-chain';
import { providerEndpoint, type ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import type { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { TranscriptionExtractor } from '@kiln/extraction/remote/transcription-extractor';
import { UnstructuredExtractor } from '@kiln/extraction/remote/unstructured-extractor';
import { VisionExtractor } from '@kiln/extraction/remote/vision-extractor';
import type { EngineAdmissions } from '../../engines/engine-admissions.service.js';
import { managedEngines, ownKeyEngine, type EngineProtocol, type ExtractorConfig } from '@kiln/platform';

export interface ExtractionEnginesParts {
  config: ExtractorConfig;
  sandbox: Extractor;
  http: ProviderHttp;
  admissions: Pick<EngineAdmissions, 'admissionFor'>;
  onFailure: NonNullable<ChainOptions['onFailure']>;
}

interface ProviderEngines {
  managed: ChainLink<Extractor>[];
  /** The server that organizations' own keys are for. Null: the provider has no remote engine. */
  own: ({ url: string } & RemoteSettings) | null;
}

interface RemoteSettings {
  /** Null: the usual one of the provider. */
  protocol: EngineProtocol | null;
  breaker: EngineBreaker;
  deadlineMs: number;
}

export interface ChosenChain<Engine> {
  chain: FallbackChain<Engine>;
  key: 'managed' | 'organization';
}

export const PREFIXES = {
  document_extractor: 'KILN_DOCUMENT_EXTRACTOR',
  image_extractor: 'KILN_IMAGE_EXTRACTOR',
  audio_extractor: 'KILN_AUDIO_EXTRACTOR',
} as const satisfies Record<ExtractionProvider, string>;

/** A job that waits longer for an engine returns to the queue, so that the worker can read other files. */
const PATIENCE_MS = 20_000;

export class ExtractionEngines {
  private readonly engines: Record<ExtractionProvider, ProviderEngines>;
  private readonly local: ChainLink<Extractor>;

  constructor(private readonly parts: ExtractionEnginesParts) {
    this.local = { name: 'local', engine: parts.sandbox, remote: null };
    this.engines = {
      document_extractor: this.enginesOf('document_extractor'),
      image_extractor: this.enginesOf('image_extractor'),
      audio_extractor: this.enginesOf('audio_extractor'),
    };
  }

  /** The engines, in the order in which they are called. Null when test mode would need a remote one. */
  chainFor(
    provider: ExtractionProvider,
    { isTest, ownKey }: { isTest: boolean; ownKey: string | null },
  ): ChosenChain<Extractor> | null {
    const { managed, own } = this.engines[provider];
    if (isTest) {
      const isLocal = managed.some(({ remote }) => remote === null);
      return isLocal ? { chain: this.chain([this.local]), key: 'managed' } : null;
    }
    if (ownKey === null || own === null) return { chain: this.chain(managed), key: 'managed' };
    const endpoint = providerEndpoint(provider, { baseUrl: own.url, key: ownKey, keyOwner: 'organization' });
    return { chain: this.chain([this.remoteLink(endpoint, own)]), key: 'organization' };
  }

  /** For text that is only decoded, whatever engines are configured. */
  get localChain(): ChosenChain<Extractor> {
    return { chain: this.chain([this.local]), key: 'managed' };
  }

  private chain(links: readonly ChainLink<Extractor>[]): FallbackChain<Extractor> {
    return new FallbackChain(links, { onFailure: this.parts.onFailure });
  }

  private enginesOf(provider: ExtractionProvider): ProviderEngines {
    const { config, admissions } = this.parts;
    const prefix = PREFIXES[provider];
    const limits = {
      concurrency: config[`${prefix}_CONCURRENCY`],
      requestsPerMinute: config[`${prefix}_REQUESTS_PER_MINUTE`] ?? null,
      patienceMs: PATIENCE_MS,
    };
    const deadlineMs = config[`${prefix}_DEADLINE_MS`];
    const managed = managedEngines(config[prefix], config[`${prefix}_KEY`]).map((engine) => {
      if (engine === null) return this.local;
      const { url, key, protocol } = engine;
      const admission = admissions.admissionFor({ provider, url, owner: 'operator' }, limits);
      const settings = { protocol, breaker: new EngineBreaker({ ...limits, admission }), deadlineMs };
      return this.remoteLink(providerEndpoint(provider, { baseUrl: url, key }), settings);
    });
    const own = ownKeyEngine(config[prefix], config[`${prefix}_BYOK_URL`]);
    if (own === null) return { managed, own };
    const admission = admissions.admissionFor({ provider, url: own.url, owner: 'organization' }, limits);
    const breaker = new EngineBreaker({ ...limits, isShared: true, admission });
    return { managed, own: { ...own, breaker, deadlineMs } };
  }

  private remoteLink(endpoint: ProviderEndpoint, settings: RemoteSettings): ChainLink<Extractor> {
    const engine = this.engineAt(endpoint, settings);
    return { name: engine.name, engine, remote: { endpoint, breaker: settings.breaker } };
  }

  private engineAt(endpoint: ProviderEndpoint, { protocol, deadlineMs }: RemoteSettings): Extractor {
    const { config, http, sandbox } = this.parts;
    const options = { endpoint, http, deadlineMs, sandbox };
    if (protocol === 'unstructured') return new UnstructuredExtractor(options);
    // Where an engine speaks chat, the configuration is refused without a model.
    if (protocol === 'chat') return new VisionExtractor({ ...options, model: config.KILN_IMAGE_EXTRACTOR_MODEL ?? '' });
    if (endpoint.provider !== 'audio_extractor') return new DoclingExtractor(options);
    return new TranscriptionExtractor({ ...options, model: config.KILN_AUDIO_EXTRACTOR_MODEL });
  }
}
