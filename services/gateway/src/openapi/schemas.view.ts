// Converts zod schemas to the component schemas of the document. A schema with a name here becomes a component wherever it
// appears.
import {
  answerEventSchema,
  answerSourceSchema,
  apiKeySchema,
  createdApiKeySchema,
  connectionSchema,
  createdPortalTokenSchema,
  errorBodySchema,
  fileSchema,
  fileSummarySchema,
  jobDetailSchema,
  jobErrorSchema,
  jobSchema,
  nodeSchema,
  meSchema,
  questionRequestSchema,
  searchRequestSchema,
  publicSearchResultSchema,
  signedUploadSchema,
  storedFileSchema,
  timelineEntrySchema,
  syncSchema,
  variantSchema,
  variantSummarySchema,
  deliverySchema,
  webhookSchema,
  webhookEventSchema,
  createdWebhookSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import type { Route } from '../routes/kinds.route.js';
import { responseSchemaOf } from '../routes/row-facts.domain.js';
import { extractionRequest, pascalCase, webhookPayloads } from './webhooks.view.js';

export type JsonSchema = Record<string, unknown>;

const named: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['Error', errorBodySchema],
  ['File', fileSchema],
  ['FileSummary', fileSummarySchema],
  ['CreatedFile', storedFileSchema],
  ['SignedUpload', signedUploadSchema],
  ['Variant', variantSchema],
  ['VariantSummary', variantSummarySchema],
  ['Job', jobSchema],
  ['JobDetail', jobDetailSchema],
  ['TimelineEntry', timelineEntrySchema],
  ['JobError', jobErrorSchema],
  ['Me', meSchema],
  ['ApiKey', apiKeySchema],
  ['CreatedApiKey', createdApiKeySchema],
  ['PortalToken', createdPortalTokenSchema],
  ['Connection', connectionSchema],
  ['Node', nodeSchema],
  ['Sync', syncSchema],
  ['Webhook', webhookSchema],
  ['CreatedWebhook', createdWebhookSchema],
  ['Delivery', deliverySchema],
  ['WebhookEvent', webhookEventSchema],
  ['SearchRequest', searchRequestSchema],
  ['SearchResult', publicSearchResultSchema],
  ['QuestionRequest', questionRequestSchema],
  ['AnswerSource', answerSourceSchema],
  ['AnswerEvent', answerEventSchema],
];

/** Holds the component schemas of one direction, and makes references to them. */
class Components {
  private readonly registry = z.registry<{ id: string }>();
  private readonly names = new Map<z.ZodType, string>();

  constructor(private readonly io: 'input' | 'output') {}

  add(name: string, schema: z.ZodType): void {
    if (this.names.has(schema)) return;
    this.names.set(schema, name);
    this.registry.add(schema, { id: name });
  }

  reference(schema: z.ZodType): JsonSchema {
    const name = this.names.get(schema);
    if (name === undefined) throw new Error('the schema has no name in the document');
    return { $ref: `#/components/schemas/${name}` };
  }

  render(): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.registry, {
      target: 'draft-2020-12',
      io: this.io,
      uri: (id) => `#/components/schemas/${id}`,
      override: (rendered) => tidy(rendered, this.io),
    });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $id: _id, $schema: _dialect, ...schema }]) => [name, schema as JsonSchema]),
    );
  }
}

interface Rendered {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Omits keywords without effect. A minor release may add fields to responses, so they allow additional properties. */
function tidy({ zodSchema, jsonSchema }: Rendered, io: 'input' | 'output'): void {
  const schema = jsonSchema as JsonSchema;
  // Zod leaves these out where the input is changed before it is checked.
  const { def } = zodSchema._zod;
  if (io === 'input' && def.type === 'default') schema['default'] = def.defaultValue;
  const examples = z.globalRegistry.get(zodSchema)?.['examples'];
  if (io === 'input' && Array.isArray(examples)) schema['examples'] = examples;
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
}

export interface DocumentSchemas {
  request: (schema: z.ZodType) => JsonSchema;
  response: (schema: z.ZodType) => JsonSchema;
  components: Record<string, JsonSchema>;
}

export function documentSchemas(routes: readonly Route[]): DocumentSchemas {
  const requests = new Components('input');
  const responses = new Components('output');
  for (const [name, schema] of named) (name.endsWith('Request') ? requests : responses).add(name, schema);
  for (const [, name, schema] of webhookPayloads) responses.add(name, schema);
  responses.add(...extractionRequest);
  for (const route of routes) {
    const name = pascalCase(route.name);
    const body = route.body ?? route.streamedBody;
    if (body) requests.add(`${name}Request`, body);
    if ('multipart' in route && route.multipart) requests.add(`${name}Form`, route.multipart);
    responses.add(`${name}Response`, responseSchemaOf(route));
  }
  return {
    request: (schema) => requests.reference(schema),
    response: (schema) => responses.reference(schema),
    components: { ...responses.render(), ...requests.render() },
  };
}

/** Returns a schema without components, for parameters. */
export function inlineSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: (rendered) => tidy(rendered, 'input'),
  });
  return rest;
}
