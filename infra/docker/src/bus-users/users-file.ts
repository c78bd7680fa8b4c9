// The users of the broker, as its configuration file has them: one for each service, and the operator, who may do everything.
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { busAccess } from './bus-access.js';
import { permissionsOf, type Permissions } from './permissions.js';

export const OPERATOR = 'operator';

const HEADER = `# Written by npm run bus:users from the contracts and the sources of the services. Do not edit.
# A user for each service, with the subjects that it may use. Each variable has the password of its user in quotes.
# See docs/adr/0026-a-login-per-service.md.
`;

const passwordOf = (user: string) => `$KILN_NATS_PASSWORD_${user.toUpperCase()}`;

const allowed = (subjects: readonly string[]) =>
  `[\n${subjects.map((subject) => `          "${subject}"\n`).join('')}        ]`;

const userText = (user: string, { publish, subscribe }: Permissions) => `    {
      user: ${user}
      password: ${passwordOf(user)}
      permissions: {
        publish: ${allowed(publish)}
        subscribe: ${allowed(subscribe)}
      }
    }
`;

export const usersFile = `${HEADER}authorization: {
  users: [
    { user: ${OPERATOR}, password: ${passwordOf(OPERATOR)} }
${busAccess.map((access) => userText(access.service, permissionsOf(access))).join('')}  ]
}
`;

/** Kustomize reads no file outside its folder, so the component has a copy. */
export const usersFilePaths = ['infra/docker', 'k8s/components/in-cluster-dependencies'].map((folder) =>
  join(repositoryDirectory, folder, 'nats-users.conf'),
);
