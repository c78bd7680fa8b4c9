// The form in which an answer is wanted: JSON that matches a schema. Of JSON Schema (draft 2020-12), the keywords are accepted that models
// can follow, and whose check takes time in proportion to the answer: no references and no patterns.
import { z } from 'zod';

const SCHEMA_CHARACTERS_MAX = 16_000;
/** Of JSON, so that a schema can have about half as many levels. */
const DEPTH_MAX = 24;
const ENUM_MAX = 100;

const typeNameSchema = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const scalarSchema = z.union([z.string().max(200), z.number(), z.boolean(), z.null()]);
const countSchema = z.int().min(0);

/** A schema of the subset. */
export interface AnswerSchema {
  title?: string | undefined;
  description?: string | undefined;
  type?: z.output<typeof typeNameSchema> | z.output<typeof typeNameSchema>[] | undefined;
  properties?: Record<string, AnswerSchema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: boolean | undefined;
  items?: AnswerSchema | undefined;
  anyOf?: AnswerSchema[] | undefined;
  enum?: z.output<typeof scalarSchema>[] | undefined;
  const?: z.output<typeof scalarSchema> | undefined;
}

const nestedSchema: z.ZodType<AnswerSchema> = z.lazy(() => nodeSchema);
const nodeSchema = z
  .strictObject({
    title: z.string().max(500).optional(),
    description: z.string().max(500).optional(),
    type: z.union([typeNameSchema, z.array(typeNameSchema).min(1).max(3)]).optional(),
    properties: z.record(z.string().min(1).max(64), nestedSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.boolean().optional(),
    items: nestedSchema.optional(),
    anyOf: z.array(nestedSchema).min(1).max(10).optional(),
    enum: z.array(scalarSchema).min(1).max(ENUM_MAX).optional(),
    const: scalarSchema.optional(),
    minItems: countSchema.optional(),
    maxItems: countSchema.optional(),
    minLength: countSchema.optional(),
    maxLength: countSchema.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  })
  .refine((node) => [node.type, node.anyOf, node.enum, node.const].some((each) => each !== undefined), {
    error: 'must have type, anyOf, enum or const',
  })
  .refine(({ required = [], properties = {} }) => required.every((name) => Object.hasOwn(properties, name)), {
    path: ['required'],
    error: 'must name members of properties only',
  });

const rootSchema = nodeSchema.refine(({ type }) => type === 'object', {
  path: ['type'],
  error: 'must be "object"',
});

export const answerFormatSchema = z
  .object({
    type: z.literal('json'),
    schema: z.record(z.string(), z.unknown()).superRefine(checkSchema).meta({
      description:
        'A JSON Schema of type `object`, at most 16,000 characters long. Keywords: `type`, `properties`, `required`, `additionalProperties` (true or false), `items`, `anyOf`, `enum`, `const`, `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `title`, `description`.',
    }),
  })
  .meta({
    description:
      'Asks for an answer in JSON. `answer` is then its text and `json` its value, which matches the schema, or null if the files do not answer the question. Requires a chat model.',
  });

function checkSchema(schema: Record<string, unknown>, context: z.RefinementCtx): void {
  if (isDeep(schema) || JSON.stringify(schema).length > SCHEMA_CHARACTERS_MAX) {
    const message = `must have at most ${SCHEMA_CHARACTERS_MAX.toLocaleString('en')} characters and ${DEPTH_MAX} levels of JSON`;
    context.addIssue({ code: 'custom', message });
    return;
  }
  const [issue] = rootSchema.safeParse(schema).error?.issues ?? [];
  if (!issue) return;
  const keywords = issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : null;
  const message = keywords === null ? issue.message : `has keywords that are not supported: ${keywords}`;
  context.addIssue({ code: 'custom', path: issue.path, message });
}

/** Checked before anything recursive reads the schema. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
