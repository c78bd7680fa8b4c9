// `kiln org` manages organizations for the operator. It reads DATABASE_URL.
import { formatTimestamp, idSchema, labelSchema } from '@kiln/contracts';
import { z } from 'zod';
import { OrganizationStore, type Organization } from '../organizations/organization.store.js';
import { plans } from '../organizations/plan.domain.js';
import { createKey } from './create-key.usecase.js';
import { noOrganization, runCommand, verb } from './run.command.js';

const USAGE = `usage:
  kiln org create   --name NAME [--plan ${plans.join('|')}] [--key KEY_NAME]
  kiln org list
  kiln org tenants  --org ORG_ID
  kiln org set-plan --org ORG_ID --plan ${plans.join('|')}

A new organization is on the plan free by default. With --key it gets a key that may do everything: a second line has the id and
the value, which can't be shown again. kiln key create creates further keys.`;

const planSchema = z.enum(plans, { error: `must be one of ${plans.join(', ')}` });

const lineOf = ({ id, plan, createdAt, name }: Organization) => [id, plan, formatTimestamp(createdAt), name].join('  ');

const create = verb({
  options: z.object({ name: labelSchema, plan: planSchema.default('free'), key: labelSchema.optional() }),
  run: async ({ name, plan, key }, database) => {
    const organization = await new OrganizationStore(database).create(name, plan);
    if (key === undefined) return [lineOf(organization)];
    return [lineOf(organization), await createKey(database, organization.id, { name: key })];
  },
});

const list = verb({
  options: z.object({}),
  run: async (_options, database) => (await new OrganizationStore(database).list()).map(lineOf),
});

/** The tenant ids by which the other services know an organization. */
const tenants = verb({
  options: z.object({ org: idSchema('organization') }),
  run: async ({ org }, database) => {
    const found = await new OrganizationStore(database).findTenants(org);
    if (!found) throw noOrganization(org);
    return [`live  ${found.live}`, `test  ${found.test}`];
  },
});

const setPlan = verb({
  options: z.object({ org: idSchema('organization'), plan: planSchema }),
  run: async ({ org, plan }, database) => {
    const changed = await new OrganizationStore(database).setPlan(org, plan);
    if (!changed) throw noOrganization(org);
    return [lineOf(changed)];
  },
});

runCommand({ create, list, tenants, 'set-plan': setPlan }, USAGE);
