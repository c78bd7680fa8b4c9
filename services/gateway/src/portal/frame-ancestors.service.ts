// The origins whose pages may show the portal of an organization. Its page is loaded without credentials, so few of these reads may reach the database.
import { decodeId } from '@kiln/contracts';
import { TtlCache } from '../auth/ttl-cache.service.js';
import type { PortalSettingsStore } from './portal-settings.store.js';

export class FrameAncestors {
  private readonly origins = new TtlCache<readonly string[]>();

  constructor(private readonly settings: Pick<PortalSettingsStore, 'find'>) {}

  /** Up to five seconds old. Empty for an organization that does not exist, and for text that is no id of one. */
  async of(organizationId: string): Promise<readonly string[]> {
    if (decodeId('organization', organizationId) === null) return [];
    const load = async () => ({ value: (await this.settings.find(organizationId)).frame_ancestors });
    return (await this.origins.getOrLoad(organizationId, load)) ?? [];
  }
}
