// The choices of organizations for their runs, in a TTL cache over their rules, keys and settings. A change sends a message that clears the cache
// of every worker. When the message is lost, workers see the change after the time to live.
import {
  DEFAULT_SEARCH_LANGUAGE,
  liveTenantOf,
  modeOf,
  type KeyedProvider,
  type RoutingRule,
  type SearchLanguage,
} from '@kiln/contracts';
import { ruledProvider } from '@kiln/extraction/routing';
import QuickLRU from 'quick-lru';
import type { RunPolicies, RunPolicy } from './run-policy.domain.js';
import type { RoutingRuleStore } from '../settings/routing-rule.store.js';
import type { SettingsStore } from '../settings/settings.store.js';
import type { OwnKey, SealedProviderKeys } from '../provider-keys/sealed-provider-keys.service.js';

const TIME_TO_LIVE_MS = 10_000;
const ORGANIZATIONS_MAX = 1_000;

export interface OrganizationPoliciesParts {
  routingRules: Pick<RoutingRuleStore, 'find'>;
  providerKeys: Pick<SealedProviderKeys, 'open'>;
  settings: Pick<SettingsStore, 'find'>;
  timeToLiveMs?: number;
}

interface Organization {
  rules: Promise<RoutingRule[]> | null;
  searchLanguage: Promise<SearchLanguage> | null;
  keys: Map<KeyedProvider, Promise<OwnKey | null>>;
}

export class OrganizationPolicies implements RunPolicies {
  private readonly organizations: QuickLRU<string, Organization>;

  constructor(private readonly parts: OrganizationPoliciesParts) {
    const { timeToLiveMs = TIME_TO_LIVE_MS } = parts;
    this.organizations = new QuickLRU({ maxSize: ORGANIZATIONS_MAX, maxAge: timeToLiveMs });
  }

  of(tenantId: string): RunPolicy {
    return {
      isTest: modeOf(tenantId) === 'test',
      ruledProvider: async (contentType) => ruledProvider(contentType, await this.rulesOf(tenantId)),
      searchLanguage: () => this.searchLanguageOf(tenantId),
      keyOf: async (provider) => {
        const own = await this.keyOf(tenantId, provider);
        return own?.url === null ? own.key : null;
      },
      extractorOf: async (provider) => {
        const own = await this.keyOf(tenantId, provider);
        return own && own.url !== null ? { url: own.url, secret: own.key } : null;
      },
    };
  }

  clear(): void {
    this.organizations.clear();
  }

  /** A pending read belongs to its entry: a change clears the entry, and with it the outdated read. */
  private entryOf(tenantId: string): Organization {
    let organization = this.organizations.get(tenantId);
    if (!organization) {
      organization = { rules: null, searchLanguage: null, keys: new Map() };
      this.organizations.set(tenantId, organization);
    }
    return organization;
  }

  private rulesOf(tenantId: string): Promise<RoutingRule[]> {
    const entry = this.entryOf(tenantId);
    entry.rules ??= this.parts.routingRules.find(liveTenantOf(tenantId)).catch((error: unknown) => {
      entry.rules = null;
      throw error;
    });
    return entry.rules;
  }

  private searchLanguageOf(tenantId: string): Promise<SearchLanguage> {
    const entry = this.entryOf(tenantId);
    entry.searchLanguage ??= this.parts.settings
      .find(liveTenantOf(tenantId))
      .then((settings) => settings?.search_language ?? DEFAULT_SEARCH_LANGUAGE)
      .catch((error: unknown) => {
        entry.searchLanguage = null;
        throw error;
      });
    return entry.searchLanguage;
  }

  private keyOf(tenantId: string, provider: KeyedProvider): Promise<OwnKey | null> {
    const { keys } = this.entryOf(tenantId);
    let key = keys.get(provider);
    if (!key) {
      key = this.parts.providerKeys.open(tenantId, provider).catch((error: unknown) => {
        keys.delete(provider);
        throw error;
      });
      keys.set(provider, key);
    }
    return key;
  }
}
