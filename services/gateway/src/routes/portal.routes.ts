import {
  answerEventSchema,
  answerResponseSchema,
  createdPortalTokenSchema,
  deletedSchema,
  filesOperations,
  idSchema,
  newPortalTokenSchema,
  portalQuestionRequestSchema,
  portalTokenListSchema,
  portalTokenQuerySchema,
  publicSearchResponseSchema,
  searchRequestSchema,
  verifiedPortalTokenSchema,
  variantSchema,
  variantTypeSchema,
  brandingSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { createPortalToken, deletePortalToken, listPortalTokens, verifyPortalToken } from '../portal/portal.handler.js';
import { getBranding } from '../branding/branding.handler.js';
import { ANSWER_MS, answerQuestion } from '../answers/answer.handler.js';
import { listQuerySchema } from './files.routes.js';
import {
  exampleAnswer,
  exampleBranding,
  exampleDownload,
  exampleFile,
  exampleIds,
  exampleSearchResponse,
  exampleVariant,
} from './shared.examples.js';
import { getVariant, listVariants } from '../variants/variants.handler.js';
import { search } from '../search/search.handler.js';
import { handlerRoute, portalOperationRoute, portalRoute, publicRoute } from './kinds.route.js';
import { ANSWER_DESCRIPTION, unitsOfListedWords, unitsOfWords } from './search.routes.js';

const { variants: _variants, sha256: _sha256, metadata: _metadata, ...exampleSummary } = exampleFile;
const expires_at = '2026-11-21 10:30:00';

const exampleToken = {
  prefix: 'kiln_pt_x9QmT2vB',
  space: 'customer-42',
  created_at: '2026-11-21 09:30:00',
  expires_at,
  key_id: exampleIds.key,
};

const tokenRoutes = [
  handlerRoute({
    name: 'createPortalToken',
    method: 'POST',
    path: '/v1/portal/tokens',
    tag: 'Portal',
    summary: 'Create a portal token.',
    description:
      'A browser can read one space with this token until it expires. The secret is returned once. The token ends ' +
      'with the key that creates it, when that is revoked or expires.',
    scope: 'portal:write',
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
    method: 'GET',
    path: '/v1/portal/tokens',
    tag: 'Portal',
    summary: 'List portal tokens.',
    description: 'Returns the tokens that are valid, newest first.',
    scope: 'portal:write',
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
    method: 'DELETE',
    path: '/v1/portal/tokens/:token',
    tag: 'Portal',
    summary: 'Revoke a portal token.',
    description: 'The token is named by its value, or by the prefix that the list shows.',
    scope: 'portal:write',
    params: z.object({ token: z.string() }),
    secretParams: ['token'],
    handler: deletePortalToken,
    response: deletedSchema,
    example: { response: { deleted: true } },
  }),
];

export const portalRoutes = [
  ...tokenRoutes,
  portalOperationRoute({
    name: 'listPortalFiles',
    method: 'GET',
    path: '/v1/portal/files',
    tag: 'Portal',
    summary: "List the files of the portal's space.",
    query: listQuerySchema.omit({ space: true }),
    units: (_body, { search }) => unitsOfListedWords(search ?? ''),
    operation: filesOperations.listFiles,
    example: { response: { files: [exampleSummary], next_cursor: null } },
  }),
  portalOperationRoute({
    name: 'getPortalFile',
    method: 'GET',
    path: '/v1/portal/files/:id',
    tag: 'Portal',
    summary: "Get a file of the portal's space.",
    params: z.object({ id: idSchema('file') }),
    operation: filesOperations.getFile,
    example: { response: exampleFile },
  }),
  portalOperationRoute({
    name: 'downloadPortalFile',
    method: 'GET',
    path: '/v1/portal/files/:id/download',
    tag: 'Portal',
    summary: 'Get a download URL for a portal file.',
    description:
      'The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.',
    params: z.object({ id: idSchema('file') }),
    operation: filesOperations.downloadFile,
    example: { response: exampleDownload },
  }),
  portalRoute({
    name: 'getPortalBranding',
    method: 'GET',
    path: '/v1/portal/branding',
    tag: 'Portal',
    summary: 'Get the branding of the portal.',
    handler: getBranding,
    response: brandingSchema,
    example: { response: exampleBranding },
  }),
  portalRoute({
    name: 'listPortalVariants',
    method: 'GET',
    isConditional: true,
    path: '/v1/portal/files/:file_id/variants',
    tag: 'Portal',
    summary: 'List the variants of a portal file.',
    description: 'Content larger than 1 MiB is null; download it from `content_url`.',
    params: z.object({ file_id: idSchema('file') }),
    handler: listVariants,
    response: z.object({ variants: z.array(variantSchema) }),
    example: { response: { variants: [exampleVariant] } },
  }),
  portalRoute({
    name: 'getPortalVariant',
    method: 'GET',
    isConditional: true,
    path: '/v1/portal/files/:file_id/variants/:type',
    tag: 'Portal',
    summary: 'Get a variant of a portal file.',
    description: 'Content larger than 1 MiB is null; download it from `content_url`.',
    params: z.object({ file_id: idSchema('file'), type: variantTypeSchema }),
    handler: getVariant,
    response: variantSchema,
    example: { response: exampleVariant },
  }),
  portalRoute({
    name: 'searchPortal',
    method: 'POST',
    path: '/v1/portal/search',
    tag: 'Portal',
    summary: "Search the portal's space.",
    body: searchRequestSchema.omit({ space: true }),
    units: ({ query }) => unitsOfWords(query),
    handler: search,
    response: publicSearchResponseSchema,
    example: {
      request: { query: 'termination notice', limit: 5 },
      response: exampleSearchResponse,
    },
  }),
  portalRoute({
    name: 'answerPortalQuestion',
    method: 'POST',
    path: '/v1/portal/qa',
    tag: 'Portal',
    summary: "Answer a question from the portal's space.",
    description: ANSWER_DESCRIPTION,
    body: portalQuestionRequestSchema,
    units: ({ question }) => unitsOfWords(question),
    handler: answerQuestion,
    response: answerResponseSchema,
    events: answerEventSchema,
    timeoutMs: ANSWER_MS,
    example: { request: { question: 'How is a contract terminated?' }, response: exampleAnswer },
  }),
];
