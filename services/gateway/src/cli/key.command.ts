// `kiln key` manages API keys for the operator, who may give any scope to any organization. It reads DATABASE_URL, and REDIS_URL
// and KILN_REDIS_SENTINELS to revoke a key.
import { idSchema, keyModes, keyScopesSchema, labelSchema, requestTimeSchema, scopes } from '@kiln/contracts';
import { z } from 'zod';
import { ApiKeyStore } from '../keys/api-key.store.js';
import { OrganizationStore } from '../organizations/organization.store.js';
import { createKey } from './create-key.usecase.js';
import { revokeKeyEverywhere } from './revoke-key.usecase.js';
import { noOrganization, runCommand, verb } from './run.command.js';

const USAGE = `usage:
  kiln key create --org ORG_ID --name NAME [--scopes SCOPE,SCOPE] [--mode ${keyModes.join('|')}] [--expires TIME]
  kiln key revoke --org ORG_ID --key KEY_ID

create prints the id and the value; the value can't be shown again. Without --scopes the key may do everything.
revoke takes effect on every gateway at once. Without REDIS_URL it waits 5 seconds, until no gateway has the key in its cache.
TIME is ISO 8601 with a zone, or a date. Scopes: ${scopes.join(' ')}`;

const create = verb({
  options: z.object({
    org: idSchema('organization'),
    name: labelSchema,
    scopes: z
      .string()
      .default('*')
      .transform((text) => text.split(',').map((scope) => scope.trim()))
      .pipe(keyScopesSchema),
    mode: z.enum(keyModes).default('live'),
    expires: requestTimeSchema
      .refine((time) => time.getTime() > Date.now(), { error: 'must be in the future' })
      .optional(),
  }),
  run: async ({ org, name, scopes, mode, expires }, database) => {
    if (!(await new OrganizationStore(database).findTenants(org))) throw noOrganization(org);
    return [await createKey(database, org, { name, scopes, mode, expiresAt: expires })];
  },
});

const revoke = verb({
  options: z.object({ org: idSchema('organization'), key: idSchema('key') }),
  run: async ({ org, key }, database) => {
    const keys = new ApiKeyStore(database);
    const found = await keys.find(org, key);
    const revoked = found && (await revokeKeyEverywhere(key, () => keys.revoke(org, key)));
    if (!revoked) throw new Error(`${org} has no key ${key} that is not revoked`);
    return [`${key}  revoked`];
  },
});

runCommand({ create, revoke }, USAGE);
