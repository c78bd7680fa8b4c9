// How the portals of organizations look, and which sites may embed them.
import { uuidOf, type Branding, type PortalSettings } from '@kiln/contracts';
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
    // One column: the row also has the logo.
    const select = { frame_ancestors: true };
    const found = await this.organizations.findOne({ select, where: rowOf(organizationId) });
    return { frame_ancestors: found?.frame_ancestors ?? [] };
  }

  async update(organizationId: string, changes: Partial<PortalSettings>): Promise<PortalSettings> {
    if (changes.frame_ancestors) await this.organizations.update(rowOf(organizationId), changes);
    return this.find(organizationId);
  }

  async findBranding(organizationId: string): Promise<Branding> {
    const { branding = {} } = (await this.organizations.findOneBy(rowOf(organizationId))) ?? {};
    return { name: branding.name ?? null, color: branding.color ?? null, logo: branding.logo ?? null };
  }

  /** Sets the values that `changes` has. Concurrent changes of others stay. */
  async updateBranding(organizationId: string, changes: Partial<Branding>): Promise<Branding> {
    await this.organizations
      .createQueryBuilder()
      .update()
      .set({ branding: () => 'branding || :changes::jsonb' })
      .where(rowOf(organizationId))
      .setParameter('changes', JSON.stringify(changes))
      .execute();
    return this.findBranding(organizationId);
  }
}

const rowOf = (organizationId: string) => ({ id: uuidOf('organization', organizationId) });
