// The largest JSON size of a schema, from its own limits. Tests use it to keep responses below the message size limit.
import { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** Characters that take as many bytes in JSON as any: a control character six, others of the basic plane three, two or one. */
const DEAREST_FIRST = ['\u0001', '漢', 'é', '"', 'a'];
const INTEGER_BYTES = 17;
const NUMBER_BYTES = 24;
const QUOTES = 2;
const ID = /^\^[a-z]+_\[0-7\]/;
const ID_LENGTH_MAX = 31;
const TIMESTAMP_LENGTH = 24;
const UUID_LENGTH = 36;

/** Bytes of the largest value, or Infinity where nothing limits it. `rows` limits arrays that have no limit of their own. */
export function largestJson(schema: z.ZodType, rows = Infinity): number {
  return largest(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }), rows);
}

function largest(schema: Schema | boolean, rows: number): number {
  if (typeof schema === 'boolean') return Infinity;
  const { const: only, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (only !== undefined) return bytesOf(only);
  if (values) return Math.max(...values.map(bytesOf));
  const choices = anyOf ?? oneOf;
  if (choices) return Math.max(...choices.map((choice) => largest(choice, rows)));
  if (allOf) return Math.max(...allOf.map((part) => largest(part, rows)));
  return typeof type === 'string' ? byType[type](schema, rows) : Infinity;
}

const byType: Record<Extract<Schema['type'], string>, (schema: Schema, rows: number) => number> = {
  string: largestText,
  integer: () => INTEGER_BYTES,
  number: () => NUMBER_BYTES,
  boolean: () => bytesOf(false),
  null: () => bytesOf(null),
  array: largestArray,
  object: largestObject,
};

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function largestText({ pattern, format, maxLength }: Schema): number {
  if (pattern !== undefined && ID.test(pattern)) return ID_LENGTH_MAX + QUOTES;
  if (format === 'date-time' || pattern?.startsWith(String.raw`^\d{4}-\d{2}`)) return TIMESTAMP_LENGTH + QUOTES;
  if (format === 'uuid') return UUID_LENGTH + QUOTES;
  if (maxLength === undefined) return Infinity;
  // A URL holds no control characters.
  return maxLength * bytesPerCharacter(pattern ?? (format === 'uri' ? String.raw`^\P{Cc}*$` : undefined)) + QUOTES;
}

function bytesPerCharacter(pattern = ''): number {
  const dearest = DEAREST_FIRST.find((character) => new RegExp(pattern, 'u').test(character)) ?? DEAREST_FIRST[0];
  return bytesOf(dearest) - QUOTES;
}

function largestArray({ items, maxItems = Infinity }: Schema, rows: number): number {
  const count = Math.min(maxItems, rows);
  return QUOTES + count * (largest((items ?? true) as Schema | boolean, Infinity) + 1);
}

function largestObject({ properties, additionalProperties }: Schema, rows: number): number {
  if (properties === undefined || (typeof additionalProperties === 'object' && additionalProperties !== null)) {
    return Infinity;
  }
  return Object.entries(properties).reduce(
    (bytes, [name, value]) => bytes + bytesOf(name) + 2 + largest(value, rows),
    QUOTES,
  );
}
