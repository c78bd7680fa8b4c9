import {
  createdPortalTokenSchema,
  deletedSchema,
  filesOperations,
  idSchema,
  newPortalTokenSchema,
  portalQuestionRequestSchema,
  portalTokenListSchema,
  portalTokenQuerySchema,
  searchRequestSchema,
  verifiedPortalTokenSchema,
  brandingSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { createPortalToken, deletePortalToken, listPortalTokens, verifyPortalToken } from '../portal/portal.handler.js';
import { fileDownload, fileList, listQuerySchema, variantList, variantOfType } from './files.routes.js';
import { exampleAnswer, exampleBranding, exampleFile, exampleIds, exampleSearchResponse } from './shared.examples.js';
import { handlerRoute, portalOperationRoute, portalRoute, publicRoute } from './kinds.route.js';
import { answering, searching } from './search.routes.js';

const ofPortal = { method: 'GET', tag: 'Portal' } as const;

const expires_at = '2026-11-21 10:30:00';

const exampleToken = {
  prefix: 'kiln_pt_x9QmT2vB',
  space: 'customer-42',
  created_at: '2026-11-21 09:30:00',
  expires_at,
  key_id: exampleIds.key,
};

const ofTokens = { tag: 'Portal', scope: 'portal:write' } as const;

export const portalRoutes = [
  handlerRoute({
    name: 'createPortalToken',
    ...ofTokens,
    method: 'POST',
    path: '/v1/portal/tokens',
    summary: 'Create a portal token.',
    description:
      'A browser can read one space with this token until it expires. The secret is returned once. The token ends ' +
      'with the key that creates it, when that is revoked or expires.',
    // The holder of the token can read the files of the space and search them.
    alsoNeeds: ['files:read', 'search:read'],
    body: newPortalTokenSchema,
    handler: createPortalToken,
    response: createdPortalTokenSchema,
    secret: true,
    success: 201,
    example: {
      request: { space: 'customer-42', ttl: 3600 },
      response: { token: 'kiln_pt_…', expires_at, space: 'customer-42' },
    },
  }),
  handlerRoute({
    name: 'listPortalTokens',
    ...ofTokens,
    method: 'GET',
    path: '/v1/portal/tokens',
    summary: 'List portal tokens.',
    description: 'Returns the tokens that are valid, newest first.',
    query: portalTokenQuerySchema,
    handler: listPortalTokens,
    response: portalTokenListSchema,
    example: { response: { tokens: [exampleToken], next_cursor: null } },
  }),
  publicRoute({
    name: 'verifyPortalToken',
    method: 'GET',
    path: '/v1/portal/tokens/:token/verify',
    tag: 'Portal',
    summary: 'Verify a portal token.',
    description: 'Unknown, expired and revoked tokens get the same response.',
    params: z.object({ token: z.string() }),
    secretParams: ['token'],
    handler: verifyPortalToken,
    response: verifiedPortalTokenSchema,
    errors: ['UNAVAILABLE'],
    example: { response: { valid: true, space: 'customer-42', expires_at } },
  }),
  handlerRoute({
    name: 'deletePortalToken',
    ...ofTokens,
    method: 'DELETE',
    path: '/v1/portal/tokens/:token',
    summary: 'Revoke a portal token.',
    description: 'The token is named by its value, or by the prefix that the list shows.',
    params: z.object({ token: z.string() }),
    secretParams: ['token'],
    handler: deletePortalToken,
    response: deletedSchema,
    example: { response: { deleted: true } },
  }),
  portalOperationRoute({
    name: 'listPortalFiles',
    ...ofPortal,
    ...fileList,
    path: '/v1/portal/files',
    summary: "List the files of the portal's space.",
    query: listQuerySchema.omit({ space: true }),
  }),
  portalOperationRoute({
    name: 'getPortalFile',
    ...ofPortal,
    path: '/v1/portal/files/:id',
    summary: "Get a file of the portal's space.",
    params: z.object({ id: idSchema('file') }),
    operation: filesOperations.getFile,
    example: { response: exampleFile },
  }),
  portalOperationRoute({
    name: 'downloadPortalFile',
    ...ofPortal,
    ...fileDownload,
    path: '/v1/portal/files/:id/download',
    summary: 'Get a download URL for a portal file.',
  }),
  portalRoute({
    name: 'getPortalBranding',
    ...ofPortal,
    path: '/v1/portal/branding',
    summary: 'Get the branding of the portal.',
    handler: ({ caller }, { portalSettings }) => portalSettings.findBranding(caller.organizationId),
    response: brandingSchema,
    example: { response: exampleBranding },
  }),
  portalRoute({
    name: 'listPortalVariants',
    ...ofPortal,
    ...variantList,
    path: '/v1/portal/files/:file_id/variants',
    summary: 'List the variants of a portal file.',
    // A schema of its own has a name of its own in the OpenAPI document.
    response: z.object(variantList.response.shape),
  }),
  portalRoute({
    name: 'getPortalVariant',
    ...ofPortal,
    ...variantOfType,
    path: '/v1/portal/files/:file_id/variants/:type',
    summary: 'Get a variant of a portal file.',
  }),
  portalRoute({
    name: 'searchPortal',
    ...searching,
    path: '/v1/portal/search',
    tag: 'Portal',
    summary: "Search the portal's space.",
    body: searchRequestSchema.omit({ space: true }),
    example: {
      request: { query: 'termination notice', limit: 5 },
      response: exampleSearchResponse,
    },
  }),
  portalRoute({
    name: 'answerPortalQuestion',
    ...answering,
    path: '/v1/portal/qa',
    tag: 'Portal',
    summary: "Answer a question from the portal's space.",
    body: portalQuestionRequestSchema,
    example: { request: { question: 'How is a contract terminated?' }, response: exampleAnswer },
  }),
];
