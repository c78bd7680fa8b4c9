// The rows of the Model Context Protocol. They are not in the OpenAPI document: the protocol describes itself.
import { z } from 'zod';
import { ANSWER_MS } from '../answers/answer.handler.js';
import { METADATA_PATH, protectedResource, RESOURCE_PATH } from '../mcp/protected-resource.domain.js';
import { getProtectedResource } from '../mcp/protected-resource.handler.js';
import { publicRoute, sharedRoute } from './kinds.route.js';
import { unitsOfListedWords, unitsOfWords } from './search.routes.js';

/** One JSON-RPC message; the server checks the rest. Batches ended with the revision 2025-06-18 of the protocol. */
const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') });
/** A tool that uses the argument refuses one that is no text. */
const words = z.string().catch('');
const callSchema = z.looseObject({
  params: z.looseObject({ arguments: z.looseObject({ query: words, question: words, search: words }) }),
});

const unitsOfCall = (message: object): number => {
  const call = callSchema.safeParse(message);
  if (!call.success) return 0;
  const { query, question, search } = call.data.params.arguments;
  return unitsOfWords(query) + unitsOfWords(question) + unitsOfListedWords(search);
};

export const mcpRoutes = [
  sharedRoute({
    name: 'mcp',
    method: 'POST',
    path: RESOURCE_PATH,
    tag: 'Agents',
    summary: 'Call the tools of agents.',
    scope: null,
    body: messageSchema,
    units: unitsOfCall,
    // Most processes never serve an agent, so the protocol's server is loaded by the first call.
    handler: async (request, services) => (await import('../mcp/mcp.handler.js')).answerMcp(request, services),
    response: z.looseObject({}),
    timeoutMs: ANSWER_MS,
    example: { request: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, response: {} },
  }),
  publicRoute({
    name: 'getProtectedResource',
    method: 'GET',
    path: METADATA_PATH,
    tag: 'Agents',
    summary: 'Get the OAuth metadata of /mcp.',
    handler: getProtectedResource,
    response: z.looseObject({ resource: z.string() }),
    errors: ['NOT_FOUND'],
    example: { response: protectedResource('https://kiln.example.com', 'https://issuer.example.com') },
  }),
];
