// Which sites may embed the portals of organizations.
import { uuidOf, type PortalSettings } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import type { Repository } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** Ids are TypeIDs that have been checked. */
export class PortalSettingsStore {
  private readonly organizations: Repository<OrganizationEntity>;

  constructor({ dataSource }: Pick<Database, 'dataSource'>) {
    this.organizations = dataSource.getRepository(OrganizationEntity);
  }

  /** The list is empty also for an organization that does not exist. */
  async find(organizationId: string): Promise<PortalSettings> {
    const id = uuidOf('organization', organizationId);
    // One column: the row also has the logo.
    const found = await this.organizations.findOne({ select: { frame_ancestors: true }, where: { id } });
    return { frame_ancestors: found?.frame_ancestors ?? [] };
  }

  async update(organizationId: string, changes: Partial<PortalSettings>): Promise<PortalSettings> {
    const id = uuidOf('organization', organizationId);
    if (changes.frame_ancestors) await this.organizations.update({ id }, changes);
    return this.find(organizationId);
  }
}
