// Which sites may embed the portals of organizations.
import { decodeId, uuidOf, type PortalSettings } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import type { Repository } from 'typeorm';
import { TtlCache } from '../auth/ttl-cache.service.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

export class PortalSettingsStore {
  private readonly organizations: Repository<OrganizationEntity>;
  /** By organization. Pages of the portal are read without credentials, so few of these reads may reach the database. */
  private readonly cache = new TtlCache<readonly string[]>();

  constructor({ dataSource }: Pick<Database, 'dataSource'>) {
    this.organizations = dataSource.getRepository(OrganizationEntity);
  }

  async find(organizationId: string): Promise<PortalSettings> {
    return { frame_ancestors: await this.read(uuidOf('organization', organizationId)) };
  }

  async update(organizationId: string, changes: Partial<PortalSettings>): Promise<PortalSettings> {
    const id = uuidOf('organization', organizationId);
    if (changes.frame_ancestors) await this.organizations.update({ id }, changes);
    return this.find(organizationId);
  }

  /** Up to five seconds old. Empty also for text that is no id of an organization. */
  async frameAncestorsOf(organizationId: string): Promise<readonly string[]> {
    const id = decodeId('organization', organizationId);
    if (id === null) return [];
    return (await this.cache.getOrLoad(id, async () => ({ value: await this.read(id) }))) ?? [];
  }

  /** Reads one column: the row also has the logo. */
  private async read(id: string): Promise<string[]> {
    const found = await this.organizations.findOne({ select: { frame_ancestors: true }, where: { id } });
    return found?.frame_ancestors ?? [];
  }
}
