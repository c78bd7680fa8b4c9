/**
 * The servers of one kind of model: those that the operator has configured, or the one that organizations have their own keys for. Each has
 * one breaker per process, so create one object per process; admission control may be shared with other processes. All configured servers have the same models, so any of them may answer.
 */
import type { EngineAdmission } from './engine-admission.js';
import { EngineBreaker } from './engine-breaker.js';
import { providerEndpoint, type ProviderEndpoint } from '../http/provider-endpoint.js';

export interface ModelServersOptions {
  provider: 'embedding' | 'chat' | 'rerank';
  managed: readonly { url: string; key: string | null }[];
  /** Where organizations' own keys are used. Null: such a key has no effect. */
  ownUrl: string | null;
  /** Concurrent requests per server. */
  concurrency: number;
  requestsPerMinute: number | null;
  /** How many milliseconds a request may wait for a free slot. */
  patienceMs: number;
  /** The admission control of a server, shared by several processes. Default: each process has its own. */
  admissionFor?: ((server: { url: string; keyOwner: ProviderEndpoint['keyOwner'] }) => EngineAdmission) | undefined;
}

export interface ModelServer {
  endpoint: ProviderEndpoint;
  breaker: EngineBreaker;
}

export interface ChosenServers {
  /** In the order of preference, at least one. */
  servers: readonly [ModelServer, ...ModelServer[]];
  key: 'managed' | 'organization';
}

export class ModelServers {
  private readonly provider: ModelServersOptions['provider'];
  private readonly managed: readonly ModelServer[];
  private readonly own: { url: string; breaker: EngineBreaker } | null;

  constructor({ provider, managed, ownUrl, admissionFor, ...limits }: ModelServersOptions) {
    this.provider = provider;
    this.managed = managed.map(({ url, key }) => ({
      endpoint: providerEndpoint(provider, { baseUrl: url, key }),
      breaker: new EngineBreaker({ ...limits, admission: admissionFor?.({ url, keyOwner: 'operator' }) }),
    }));
    const ownBreaker = (url: string) =>
      new EngineBreaker({ ...limits, isShared: true, admission: admissionFor?.({ url, keyOwner: 'organization' }) });
    this.own = ownUrl === null ? null : { url: ownUrl, breaker: ownBreaker(ownUrl) };
  }

  /** Null when there is no server. `ownKey`: the key of the organization, which takes precedence. */
  choose(ownKey: string | null): ChosenServers | null {
    if (ownKey !== null && this.own !== null) {
      const { url, breaker } = this.own;
      const endpoint = providerEndpoint(this.provider, { baseUrl: url, key: ownKey, keyOwner: 'organization' });
      return { servers: [{ endpoint, breaker }], key: 'organization' };
    }
    const [first, ...others] = this.managed;
    return first ? { servers: [first, ...others], key: 'managed' } : null;
  }
}
