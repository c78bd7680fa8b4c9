// `kiln sign-in` creates codes that open the console. It reads DATABASE_URL.
import { idSchema } from '@kiln/contracts';
import { z } from 'zod';
import { OrganizationStore } from '../organizations/organization.store.js';
import { newSignInCode, SIGN_IN_CODE_SECONDS } from '../sign-in/sign-in-code.domain.js';
import { SignInCodeStore } from '../sign-in/sign-in-code.store.js';
import { noOrganization, runCommand, verb } from './run.command.js';

const USAGE = `usage:
  kiln sign-in create [--org ORG_ID] [--url URL]

Prints a link that opens the console. It works once, within 10 minutes, and whoever opens it may do everything in the
organization for 12 hours. Without --org it is the oldest organization. URL is the address of Kiln; without it, only the code is
printed.`;

const create = verb({
  options: z.object({ org: idSchema('organization').optional(), url: z.url({ protocol: /^https?$/ }).optional() }),
  run: async ({ org, url }, database) => {
    const organizations = await new OrganizationStore(database).list();
    const organization = org === undefined ? organizations[0] : organizations.find(({ id }) => id === org);
    if (!organization) throw noOrganization(org);
    const { value: code, hash } = newSignInCode();
    await new SignInCodeStore(database).add(organization.id, hash, SIGN_IN_CODE_SECONDS);
    return [url === undefined ? code : new URL(`/console/#code=${code}`, url).href];
  },
});

runCommand({ create }, USAGE);
