/**
 * A JSON Schema as a list of fields, such as `files[].name`, with the types of their values. Two lists can be compared field by field, and a
 * diff of them shows what changed. Patterns and formats are left out.
 */

export interface Field {
  /** True if the field may be missing from its object. */
  readonly optional: boolean;
  /** `string 1..100`, `'a literal'`, `object`, `array ..50`, `null`, `any`. */
  readonly types: readonly string[];
}

export type Fields = ReadonlyMap<string, Field>;

/** The part of JSON Schema that zod writes. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export function flattenSchema(root: JsonSchema): Fields {
  const flatten = (part: JsonSchema, optional: boolean, open: readonly string[]): Map<string, Field> => {
    const below = (inner: JsonSchema, isOptional: boolean) => flatten(inner, isOptional, open);
    if (part.$ref !== undefined) {
      // A schema that contains itself is listed once.
      if (open.includes(part.$ref)) return new Map([['', { optional, types: ['recursive'] }]]);
      return flatten(definition(root, part.$ref), optional, [...open, part.$ref]);
    }
    const variants = part.anyOf ?? part.oneOf ?? part.allOf;
    if (variants) {
      const lists = variants.map((variant) => below(variant, optional));
      return merge(lists, part.allOf === undefined);
    }
    const fields = new Map<string, Field>([['', { optional, types: typesOf(part).toSorted(compareText) }]]);
    const addAll = (prefix: string, inner: JsonSchema, isOptional: boolean): void => {
      for (const [path, field] of below(inner, isOptional)) fields.set(`${prefix}${path}`, field);
    };
    const required = part.required ?? [];
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      addAll(`.${name}`, property, !required.includes(name));
    }
    if (typeof part.additionalProperties === 'object') addAll('.*', part.additionalProperties, true);
    if (part.items) addAll('[]', part.items, false);
    return fields;
  };
  return flatten(root, false, []);
}

/** A field that only some of several kinds of an object have may be missing. */
function merge(lists: readonly ReadonlyMap<string, Field>[], isUnion: boolean): Map<string, Field> {
  const objects = lists.filter((list) => list.size > 1);
  const merged = new Map<string, Field>();
  for (const path of new Set(lists.flatMap((list) => [...list.keys()]))) {
    const found = lists.flatMap((list) => list.get(path) ?? []);
    const isMissing = isUnion && path !== '' && objects.some((list) => !list.has(path));
    merged.set(path, {
      optional: isMissing || found.some(({ optional }) => optional),
      types: [...new Set(found.flatMap(({ types }) => types))].toSorted(compareText),
    });
  }
  return merged;
}

function definition(root: JsonSchema, ref: string): JsonSchema {
  if (ref === '#') return root;
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1] ?? '';
  const found = root.$defs?.[name];
  if (!found) throw new Error(`${ref} is no definition of the schema`);
  return found;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function typesOf(part: JsonSchema): string[] {
  if ('const' in part) return [literal(part.const)];
  if (part.enum) return part.enum.map(literal);
  const types = typeof part.type === 'string' ? [part.type] : (part.type ?? ['any']);
  return types.map((type) => `${type}${boundsOf(type, part)}`);
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

function boundsOf(type: string, part: JsonSchema): string {
  if (type === 'string') return range(part.minLength, part.maxLength);
  if (type === 'array') return range(part.minItems, part.maxItems);
  if (type === 'integer' || type === 'number') return range(part.minimum, part.maximum);
  return '';
}

function range(from: number | undefined, to: number | undefined): string {
  return from === undefined && to === undefined ? '' : ` ${from ?? ''}..${to ?? ''}`;
}
