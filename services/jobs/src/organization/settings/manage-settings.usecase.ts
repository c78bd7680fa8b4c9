// The settings of an organization. Callers name its tenant of live mode.
import {
  completeChunking,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { JOBS_CONFIG, type JobsConfig } from '../../config.js';
import { PolicyChanges } from '../policies/policy-changes.service.js';
import { settingsOf, type StoredSettings } from './settings.domain.js';
import { RoutingRuleStore } from './routing-rule.store.js';
import { SettingsStore } from './settings.store.js';

type Ops = typeof jobsOperations;

@Injectable()
export class ManageSettings {
  constructor(
    private readonly settings: SettingsStore,
    private readonly rules: RoutingRuleStore,
    private readonly changes: PolicyChanges,
    @Inject(JOBS_CONFIG) private readonly config: Pick<JobsConfig, 'KILN_EMBEDDING_MODEL'>,
  ) {}

  async getSettings({ tenantId }: CallContext): Promise<OperationOutput<Ops['getSettings']>> {
    return this.viewOf(await this.settings.find(tenantId));
  }

  async updateSettings(
    changes: OperationInput<Ops['updateSettings']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['updateSettings']>> {
    const { default_chunking: chunking } = changes;
    const stored = await this.settings.change(tenantId, {
      ...changes,
      default_chunking: chunking && completeChunking(chunking),
    });
    this.changes.announce();
    return this.viewOf(stored);
  }

  async getRules({ tenantId }: CallContext): Promise<OperationOutput<Ops['getRoutingRules']>> {
    return { rules: await this.rules.find(tenantId) };
  }

  async setRules(
    { rules }: OperationInput<Ops['setRoutingRules']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['setRoutingRules']>> {
    const replaced = await this.rules.replace(tenantId, rules);
    this.changes.announce();
    return { rules: replaced };
  }

  private viewOf(stored: StoredSettings | null) {
    return settingsOf(stored, this.config.KILN_EMBEDDING_MODEL[0] ?? '');
  }
}
