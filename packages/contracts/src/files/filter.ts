// Filters of files in JSON, the same for searches, questions and lists: `{"and": [{"space": {"eq": "legal"}}, {"metadata.year": {"gte": 2020}}]}`.
// A test has one field and at least one comparison. All comparisons of a test must hold.
import { z } from 'zod';
import { fileStatuses } from './schemas.js';

export const FILTER_DEPTH_MAX = 3;
export const FILTER_COMPARISONS_MAX = 30;
const VALUES_MAX = 100;
const CHARACTERS_MAX = 1_024;
const KEY_CHARACTERS_MAX = 64;

type Value = string | number;

export interface Comparisons {
  eq?: Value;
  in?: Value[];
  gt?: Value;
  gte?: Value;
  lt?: Value;
  lte?: Value;
  exists?: boolean;
}

export type FileFilter =
  | { and: FileFilter[] }
  | { or: FileFilter[] }
  | { not: FileFilter }
  /** One field. */
  | { [field: string]: Comparisons };

/** An ISO 8601 date, or a date and time. Without an offset it is UTC. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/;

/** Milliseconds since 1970. Null for text that is no date. */
export function dateOf(text: string): number | null {
  if (!DATE.test(text) || !isDay(text.slice(0, 10))) return null;
  const iso = text.replace(' ', 'T');
  const time = Date.parse(/T/.test(iso) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? `${iso}Z` : iso);
  return Number.isNaN(time) ? null : time;
}

/** JavaScript takes February 30 for March 2. */
function isDay(date: string): boolean {
  const time = new Date(date);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** Null for text that is no number. */
export const numberOf = (text: string): number | null => (NUMBER.test(text) ? Number(text) : null);

const valueSchema = z.union([z.string().max(CHARACTERS_MAX), z.number()], { error: 'must be a string or a number' });
const rangeSchema = valueSchema.refine(
  (value) => typeof value === 'number' || numberOf(value) !== null || dateOf(value) !== null,
  { error: 'must be a number or an ISO 8601 date' },
);
const dateSchema = z
  .string({ error: 'must be an ISO 8601 date' })
  .refine((text) => dateOf(text) !== null, { error: 'must be an ISO 8601 date' });
const equalityWith = <Value extends z.ZodType>(value: Value) => ({
  eq: value.optional(),
  in: z.array(value).min(1).max(VALUES_MAX).optional(),
  exists: z.boolean().optional(),
});
const rangeWith = <Bound extends z.ZodType>(bound: Bound) => ({
  gt: bound.optional(),
  gte: bound.optional(),
  lt: bound.optional(),
  lte: bound.optional(),
});
const comparisonSchemas = {
  metadata: z.strictObject({ ...equalityWith(valueSchema), ...rangeWith(rangeSchema) }),
  created_at: z.strictObject({ ...equalityWith(dateSchema), ...rangeWith(dateSchema) }),
  status: z.strictObject(equalityWith(z.enum(fileStatuses))),
  text: z.strictObject(equalityWith(valueSchema)),
};
const TEXT_FIELDS = new Set(['space', 'content_type', 'file_id', 'external_id']);
const FIELDS = 'metadata.<key>, space, content_type, created_at, file_id, external_id or status';

function comparisonsOf(field: string) {
  const key = /^metadata\.(.+)$/s.exec(field)?.[1];
  if (key !== undefined) return key.length <= KEY_CHARACTERS_MAX ? comparisonSchemas.metadata : null;
  if (field === 'created_at' || field === 'status') return comparisonSchemas[field];
  return TEXT_FIELDS.has(field) ? comparisonSchemas.text : null;
}

interface Problem {
  path: (string | number)[];
  message: string;
}

/** Finds the first problem of a filter. */
class FilterCheck {
  private comparisons = 0;

  problemOf(node: unknown, path: Problem['path'], depth: number): Problem | null {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return { path, message: 'must be an object' };
    const [[name, value] = ['', null], ...others] = Object.entries(node);
    if (name === '' || others.length > 0) return { path, message: `must have one member: and, or, not, or a field` };
    const inside = [...path, name];
    if (name !== 'and' && name !== 'or' && name !== 'not') return this.problemOfTest(name, value, inside);
    if (depth >= FILTER_DEPTH_MAX) return { path, message: `must be nested at most ${FILTER_DEPTH_MAX} levels deep` };
    if (name === 'not') return this.problemOf(value, inside, depth + 1);
    if (!Array.isArray(value) || value.length === 0) return { path: inside, message: 'must be a list of filters' };
    for (const [at, each] of value.entries()) {
      const problem = this.problemOf(each, [...inside, at], depth + 1);
      if (problem) return problem;
    }
    return null;
  }

  private problemOfTest(field: string, value: unknown, path: Problem['path']): Problem | null {
    const schema = comparisonsOf(field);
    if (!schema) return { path, message: `is not a field: it must be ${FIELDS}` };
    const { data, error } = schema.safeParse(value);
    if (error) return { path: [...path, ...(error.issues[0]?.path ?? []).map(String)], message: messageOf(error) };
    const count = Object.values(data).filter((each) => each !== undefined).length;
    if (count === 0) return { path, message: 'must have a comparison: eq, in, gt, gte, lt, lte or exists' };
    this.comparisons += count;
    if (this.comparisons <= FILTER_COMPARISONS_MAX) return null;
    return { path: [], message: `must have at most ${FILTER_COMPARISONS_MAX} comparisons` };
  }
}

function messageOf({ issues: [issue] }: z.ZodError): string {
  if (issue?.code !== 'unrecognized_keys') return issue?.message ?? 'is invalid';
  return `does not have the comparison ${issue.keys.join(', ')}`;
}

const DESCRIPTION = `Files must pass this filter: \`{"and": […]}\`, \`{"or": […]}\`, \`{"not": …}\`, or a test of one field such as \`{"metadata.year": {"gte": 2020}}\`. At most ${FILTER_DEPTH_MAX} levels and ${FILTER_COMPARISONS_MAX} comparisons.

Fields: \`metadata.<key>\`, \`space\`, \`content_type\`, \`created_at\`, \`file_id\`, \`external_id\`, \`status\`. Comparisons: \`eq\`, \`in\`, \`exists\`, and for metadata and \`created_at\` also \`gt\`, \`gte\`, \`lt\`, \`lte\`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but \`{"exists": false}\`.

Searches and questions compare the best 1,000 files with it. Tests of \`metadata.<key>\`, \`space\` and \`content_type\` with \`eq\` and text, and of \`file_id\` with \`eq\` or \`in\`, are looked up among all files before, at the top or in an \`and\` at the top.`;

export const fileFilterSchema = z
  .record(z.string(), z.unknown(), { error: 'must be an object' })
  .superRefine((filter, context) => {
    const problem = new FilterCheck().problemOf(filter, [], 0);
    if (problem) context.addIssue({ code: 'custom', ...problem });
  })
  .meta({ description: DESCRIPTION }) as unknown as z.ZodType<FileFilter, FileFilter>;

const TEXT_CHARACTERS_MAX = 8_000;

/** The filter as JSON in the query of a URL. */
export const fileFilterTextSchema = z
  .string()
  .max(TEXT_CHARACTERS_MAX, { error: 'must be at most 8,000 characters' })
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(fileFilterSchema)
  .meta({ description: `JSON. ${DESCRIPTION}` });

export interface Equalities {
  space?: string;
  status?: (typeof fileStatuses)[number];
  content_type?: string;
  metadata?: Record<string, string>;
  /** The files that pass have one of these external ids. */
  externalIds?: string[] | undefined;
  /** The files that pass are among these. Not all of them need be ids. */
  fileIds?: string[] | undefined;
}

/** Undefined unless all values are text: the number 7 equals the texts 7 and 7.0. */
const textsOf = (values: Value[] | undefined) =>
  values?.every((value): value is string => typeof value === 'string') ? values : undefined;

/** What each file that passes the filter equals. An index finds these files. */
export function equalitiesOf(filter: FileFilter): Equalities {
  const found: Equalities = {};
  for (const each of 'and' in filter && Array.isArray(filter.and) ? filter.and : [filter]) {
    const [[field, comparisons] = ['', {}]] = Object.entries(each);
    const { eq, in: values } = comparisons as Comparisons;
    if (field === 'external_id') found.externalIds ??= textsOf(eq === undefined ? values : [eq]);
    if (field === 'file_id') found.fileIds ??= textsOf(eq === undefined ? values : [eq]);
    if (typeof eq !== 'string') continue;
    if (field === 'space' || field === 'content_type') found[field] ??= eq;
    else if (field === 'status') found.status ??= eq as (typeof fileStatuses)[number];
    else if (field.startsWith('metadata.'))
      found.metadata = { [field.slice('metadata.'.length)]: eq, ...found.metadata };
  }
  return found;
}
