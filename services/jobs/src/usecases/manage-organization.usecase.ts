// What an organization has set for its work. Asked in the name of its live plane.
import type { CallContext, OperationInput, OperationOutput, jobsOperations } from '@kiln/contracts';
import { settingsOf } from '../domain/settings.js';
import { RoutingRuleStore } from '../store/routing-rule.store.js';
import { SettingsStore } from '../store/settings.store.js';

type Ops = typeof jobsOperations;

export class ManageOrganization {
  constructor(
    private readonly settings: SettingsStore,
    private readonly rules: RoutingRuleStore,
    /** Of organizations that have set none. */
    private readonly embeddingModel: string,
  ) {}

  async getSettings({ tenantId }: CallContext): Promise<OperationOutput<Ops['getSettings']>> {
    return settingsOf(await this.settings.find(tenantId), this.embeddingModel);
  }

  async updateSettings(
    changes: OperationInput<Ops['updateSettings']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['updateSettings']>> {
    return settingsOf(await this.settings.change(tenantId, changes), this.embeddingModel);
  }

  async getRules({ tenantId }: CallContext): Promise<OperationOutput<Ops['getRoutingRules']>> {
    return { rules: await this.rules.find(tenantId) };
  }

  async setRules(
    { rules }: OperationInput<Ops['setRoutingRules']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['setRoutingRules']>> {
    return { rules: await this.rules.replace(tenantId, rules) };
  }
}
