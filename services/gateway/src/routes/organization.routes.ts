import { meSchema } from '@kiln/contracts';
import { exampleIds } from './examples.js';
import { handlerRoute } from './route.js';

export const organizationRoutes = [
  handlerRoute({
    name: 'getMe',
    method: 'GET',
    path: '/v1/me',
    tag: 'Organization',
    summary: 'Tell who the credentials stand for',
    scope: null,
    handler: ({ caller }) => ({
      org_id: caller.organizationId,
      auth_type: caller.authType,
      key_name: caller.keyName,
      scopes: [...caller.scopes],
    }),
    response: meSchema,
    success: 200,
    example: {
      response: {
        org_id: exampleIds.organization,
        auth_type: 'api_key',
        key_name: 'bootstrap',
        scopes: ['*'],
      },
    },
  }),
];
