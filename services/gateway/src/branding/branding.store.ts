// How the portals of organizations look.
import { uuidOf, type Branding } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import type { Repository } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

export class BrandingStore {
  private readonly organizations: Repository<OrganizationEntity>;

  constructor({ dataSource }: Pick<Database, 'dataSource'>) {
    this.organizations = dataSource.getRepository(OrganizationEntity);
  }

  async find(organizationId: string): Promise<Branding> {
    const { branding = {} } =
      (await this.organizations.findOneBy({ id: uuidOf('organization', organizationId) })) ?? {};
    return { name: branding.name ?? null, color: branding.color ?? null, logo: branding.logo ?? null };
  }

  /** Sets the values that `changes` has. Concurrent changes of others stay. */
  async update(organizationId: string, changes: Partial<Branding>): Promise<Branding> {
    await this.organizations
      .createQueryBuilder()
      .update()
      .set({ branding: () => 'branding || :changes::jsonb' })
      .where({ id: uuidOf('organization', organizationId) })
      .setParameter('changes', JSON.stringify(changes))
      .execute();
    return this.find(organizationId);
  }
}
