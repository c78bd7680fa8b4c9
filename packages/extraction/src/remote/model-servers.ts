/**
 * The servers of one kind of model: those that the operator has configured, or the one that organizations have their own keys for. Each has
 * one guard per process, so create one object per process; guards may share their gates with other processes. All configured servers have the same models, so any of them may answer.
 */
import type { EngineGate } from './engine-gate.js';
import { EngineGuard } from './engine-guard.js';
import { providerEndpoint, type ProviderEndpoint } from './provider-endpoint.js';

export interface ModelServersOptions {
  provider: 'embedding' | 'chat';
  managed: readonly { url: string; key: string | null }[];
  /** Where organizations' own keys are used. Null: such a key has no effect. */
  ownUrl: string | null;
  /** Concurrent requests per server. */
  concurrency: number;
  requestsPerMinute: number | null;
  /** How many milliseconds a request may wait for a free slot. */
  patienceMs: number;
  /** The gate of a server, which several processes share. Default: each process has its own. */
  gateFor?: ((server: { url: string; keyOwner: ProviderEndpoint['keyOwner'] }) => EngineGate) | undefined;
}

export interface ModelServer {
  endpoint: ProviderEndpoint;
  guard: EngineGuard;
}

export interface ChosenServers {
  /** In the order of preference, at least one. */
  servers: readonly [ModelServer, ...ModelServer[]];
  key: 'managed' | 'organization';
}

export class ModelServers {
  private readonly provider: ModelServersOptions['provider'];
  private readonly managed: readonly ModelServer[];
  private readonly own: { url: string; guard: EngineGuard } | null;

  constructor({ provider, managed, ownUrl, gateFor, ...limits }: ModelServersOptions) {
    this.provider = provider;
    this.managed = managed.map(({ url, key }) => ({
      endpoint: providerEndpoint(provider, { baseUrl: url, key }),
      guard: new EngineGuard({ ...limits, gate: gateFor?.({ url, keyOwner: 'operator' }) }),
    }));
    const ownGuard = (url: string) =>
      new EngineGuard({ ...limits, isShared: true, gate: gateFor?.({ url, keyOwner: 'organization' }) });
    this.own = ownUrl === null ? null : { url: ownUrl, guard: ownGuard(ownUrl) };
  }

  /** Null when there is no server. `ownKey`: the key of the organization, which takes precedence. */
  choose(ownKey: string | null): ChosenServers | null {
    if (ownKey !== null && this.own !== null) {
      const { url, guard } = this.own;
      const endpoint = providerEndpoint(this.provider, { baseUrl: url, key: ownKey, keyOwner: 'organization' });
      return { servers: [{ endpoint, guard }], key: 'organization' };
    }
    const [first, ...others] = this.managed;
    return first ? { servers: [first, ...others], key: 'managed' } : null;
  }
}
