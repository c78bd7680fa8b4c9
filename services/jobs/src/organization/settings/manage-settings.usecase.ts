// The settings of an organization. Callers name its tenant of live mode.
import { completeChunking, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { JOBS_CONFIG, type JobsConfig } from '../../config.js';
import { PolicyChanges } from '../policies/policy-changes.service.js';
import { settingsOf, type StoredSettings } from './settings.domain.js';
import { RoutingRuleStore } from './routing-rule.store.js';
import { SettingsStore } from './settings.store.js';

@Injectable()
export class ManageSettings {
  constructor(
    private readonly settings: SettingsStore,
    private readonly rules: RoutingRuleStore,
    private readonly changes: PolicyChanges,
    @Inject(JOBS_CONFIG) private readonly config: Pick<JobsConfig, 'KILN_EMBEDDING_MODEL'>,
  ) {}

  async getSettings({ tenantId }: CallContext): Promise<JobsOutput<'getSettings'>> {
    return this.viewOf(await this.settings.find(tenantId));
  }

  async updateSettings(
    changes: JobsInput<'updateSettings'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'updateSettings'>> {
    const { default_chunking: chunking } = changes;
    const stored = await this.settings.change(tenantId, {
      ...changes,
      default_chunking: chunking && completeChunking(chunking),
    });
    this.changes.announce();
    return this.viewOf(stored);
  }

  async getRules({ tenantId }: CallContext): Promise<JobsOutput<'getRoutingRules'>> {
    return { rules: await this.rules.find(tenantId) };
  }

  async setRules(
    { rules }: JobsInput<'setRoutingRules'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'setRoutingRules'>> {
    const replaced = await this.rules.replace(tenantId, rules);
    this.changes.announce();
    return { rules: replaced };
  }

  private viewOf(stored: StoredSettings | null) {
    return settingsOf(stored, this.config.KILN_EMBEDDING_MODEL[0] ?? '');
  }
}
