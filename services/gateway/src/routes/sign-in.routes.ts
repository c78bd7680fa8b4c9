import { signInRequestSchema, signInResponseSchema } from '@kiln/contracts';
import { signIn } from '../sign-in/sign-in.handler.js';
import { publicRoute } from './kinds.route.js';
import { exampleIds } from './shared.examples.js';

export const signInRoutes = [
  publicRoute({
    name: 'exchangeSignInCode',
    method: 'POST',
    path: '/v1/sign-in',
    tag: 'API keys',
    summary: 'Create an API key from a sign-in code.',
    description:
      'The key has all scopes and is valid for 12 hours. The operator creates the code with ' +
      '`kiln sign-in create`. A code works once, within 10 minutes.',
    body: signInRequestSchema,
    bodyBytesMax: 1_024,
    handler: signIn,
    response: signInResponseSchema,
    secret: true,
    success: 201,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED', 'CONFLICT', 'UNAVAILABLE'],
    example: {
      request: { code: 'k3Jx0cQ5mWbY2vT8rZ1nE7pL4sH9dG6fA0uK5oI2yXq' },
      response: {
        id: exampleIds.key,
        key: 'kiln_live_…',
        org_id: exampleIds.organization,
        expires_at: '2026-11-21 21:30:00',
      },
    },
  }),
];
