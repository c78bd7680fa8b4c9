// The OpenAPI 3.1 document, derived from the route table (https://spec.openapis.org/oas/v3.1.1.html).
import { errorBodySchema, errorKinds, type ErrorCode } from '@kiln/contracts';
import type { z } from 'zod';
import type { Route } from '../routes/kinds.route.js';
import { changesLiveData, responseSchemaOf, scopesOf, successOf } from '../routes/row-facts.domain.js';
import {
  documentedHeaders,
  headerParameters,
  headerReferences,
  idempotencyKeyParameter,
  isPaged,
  isRepeatable,
  RATE_LIMIT_HEADERS,
} from './headers.view.js';
import { webhooksOf } from './webhooks.view.js';
import { documentSchemas, inlineSchema, type DocumentSchemas, type JsonSchema } from './schemas.view.js';

export interface DocumentOptions {
  version: string;
  /** The public address of the gateway. Default: the address that the document was requested from. */
  publicUrl: string | undefined;
}

export function openApiDocument(routes: readonly Route[], { version, publicUrl }: DocumentOptions): JsonSchema {
  const schemas = documentSchemas(routes);
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kiln API',
      version,
      description: 'Kiln converts files to markdown, metadata, embeddings and a searchable index.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: webhooksOf(schemas),
    components: {
      schemas: schemas.components,
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`ApiKey` followed by a space and the key: `ApiKey kiln_live_…`',
        },
        Bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A JWT of the issuer that the operator has configured, with the claims `org_id`, `scope`, `sub`, `exp` and `mode`.',
        },
        PortalToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`PortalToken` followed by a space and the token: `PortalToken kiln_pt_…`',
        },
      },
      headers: documentedHeaders(),
      parameters: { 'Idempotency-Key': idempotencyKeyParameter },
    },
  };
}

const securityOf: Readonly<Record<Route['stack'], JsonSchema[]>> = {
  public: [],
  key: [{ ApiKey: [] }, { Bearer: [] }],
  portal: [{ PortalToken: [] }],
  shared: [{ ApiKey: [] }, { Bearer: [] }, { PortalToken: [] }],
};

function operationOf(route: Route, schemas: DocumentSchemas): JsonSchema {
  const scopes = scopesOf(route);
  const names = scopes.map((scope) => `\`${scope}\``).join(', ');
  const scopeText = scopes.length === 0 ? '' : `Needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${names}.`;
  const modeText = changesLiveData(route) ? 'Test keys are refused (403), because live data uses this.' : '';
  const description = [route.description, scopeText, modeText].filter(Boolean).join('\n\n');
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
  const requestBody = requestBodyOf(route, schemas);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(description && { description }),
    security: securityOf[route.stack],
    ...(scopes.length > 0 && { 'x-required-scopes': scopes }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(route, schemas),
  };
}

const pathParameters = (route: Route): JsonSchema[] =>
  Object.entries(route.params?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: inlineSchema(schema as z.ZodType),
  }));

function queryParameters(route: Route): JsonSchema[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = inlineSchema(route.query) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) =>
    name === 'metadata' ? metadataParameter() : { name, in: 'query', required: required.includes(name), schema },
  );
}

/** With `explode`, each property of this object is a parameter of its own: `metadata.department=legal`. */
const metadataParameter = (): JsonSchema => ({
  name: 'metadata',
  in: 'query',
  style: 'form',
  explode: true,
  description: 'Exact filters of the form `metadata.<key>=<value>`.',
  schema: { type: 'object', propertyNames: { pattern: '^metadata\\.' }, additionalProperties: { type: 'string' } },
  example: { 'metadata.department': 'legal' },
});

function requestBodyOf(route: Route, schemas: DocumentSchemas): JsonSchema | null {
  const body = route.body ?? route.streamedBody;
  if (!body) return null;
  const { request: example } = route.example;
  const content: JsonSchema = { 'application/json': { schema: schemas.request(body), example } };
  if ('multipart' in route && route.multipart) {
    content['multipart/form-data'] = { schema: schemas.request(route.multipart) };
  }
  return { required: !body.safeParse({}).success, content };
}

function responsesOf(route: Route, schemas: DocumentSchemas): JsonSchema {
  const { mediaType = 'application/json' } = route;
  const { response: example } = route.example;
  const responses: JsonSchema = {
    [successOf(route)]: {
      description: 'The request succeeded.',
      headers: headerReferences([
        ...(route.stack === 'public' ? [] : RATE_LIMIT_HEADERS),
        ...(isRepeatable(route) ? ['Idempotency-Replayed'] : []),
        ...(route.isConditional ? ['ETag'] : []),
        ...(isPaged(route) ? ['Link'] : []),
      ]),
      content: {
        [mediaType]: { schema: schemas.response(responseSchemaOf(route)), ...(example !== undefined && { example }) },
        ...(route.events && { 'text/event-stream': { schema: schemas.response(route.events) } }),
      },
    },
  };
  if (route.isConditional) responses[304] = { description: 'The content is the one that `If-None-Match` names.' };
  for (const code of errorsOf(route)) {
    const { status, meaning, retryable } = errorKinds[code];
    responses[status] = {
      description: meaning,
      headers: headerReferences(retryable ? ['Retry-After'] : []),
      content: {
        'application/json': {
          schema: schemas.response(errorBodySchema),
          example: { error: meaning, code, requestId: '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10' },
        },
      },
    };
  }
  if (route.name === 'getReadiness') {
    responses[503] = { ...(responses['200'] as JsonSchema), description: 'A required dependency does not respond.' };
  }
  return responses;
}

/** The errors that a row can return, derived from the row. */
export function errorsOf(route: Route): ErrorCode[] {
  const errors = new Set<ErrorCode>([...(route.errors ?? []), ...(route.operation?.errors ?? []), 'INTERNAL_ERROR']);
  const body = route.body ?? route.streamedBody;
  if (route.query || body) errors.add('BAD_REQUEST');
  if (body) errors.add('PAYLOAD_TOO_LARGE');
  if (route.params) errors.add('NOT_FOUND');
  if (route.stack !== 'public')
    for (const code of ['UNAUTHORIZED', 'RATE_LIMITED', 'UNAVAILABLE'] as const) errors.add(code);
  if (route.scope !== null) errors.add('FORBIDDEN');
  if (isRepeatable(route)) for (const code of ['BAD_REQUEST', 'CONFLICT'] as const) errors.add(code);
  return [...errors].sort((a, b) => errorKinds[a].status - errorKinds[b].status);
}
