// Returns which kinds of files can be read for a tenant. An engine is available if the operator has configured it, if the organization has an
// extractor, or if the organization has a key for it.
import type { CallContext, WorkerOutput } from '@kiln/contracts';
import type { ExtractionProvider } from '@kiln/extraction';
import { managedEngines, ownKeyEngine, type ExtractorConfig } from '@kiln/platform';
import type { RunPolicies, RunPolicy } from '../../organization/policies/run-policy.domain.js';
import { PREFIXES } from './extraction-engines.service.js';

export class FindEngines {
  constructor(
    private readonly config: ExtractorConfig,
    private readonly policies: RunPolicies,
  ) {}

  async execute({ tenantId }: Pick<CallContext, 'tenantId'>): Promise<WorkerOutput<'findEngines'>> {
    const policy = this.policies.of(tenantId);
    const [documents, images, audio] = await Promise.all([
      this.isRead('document_extractor', policy),
      this.isRead('image_extractor', policy),
      this.isRead('audio_extractor', policy),
    ]);
    return { documents, images, audio };
  }

  /** Test mode calls the local engine only, which does not read speech. */
  private async isRead(provider: ExtractionProvider, policy: RunPolicy): Promise<boolean> {
    const { config } = this;
    const prefix = PREFIXES[provider];
    const managed = managedEngines(config[prefix], config[`${prefix}_KEY`]);
    if (provider !== 'audio_extractor' && managed.includes(null)) return true;
    if (policy.isTest) return false;
    if (managed.some((engine) => engine !== null) || (await policy.extractorOf(provider)) !== null) return true;
    const own = ownKeyEngine(config[prefix], config[`${prefix}_BYOK_URL`]);
    return own !== null && (await policy.keyOf(provider)) !== null;
  }
}
