// Turns zod's findings into one message that names every offending path.
import type { z } from 'zod';
import { badRequest } from './errors.js';

const PROBLEMS_MAX = 10;

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  return text;
}

/** `metadata.owner: must be a string; limit: …`, at most ten problems. */
export function describeProblems(error: z.ZodError): string {
  const problems = error.issues.slice(0, PROBLEMS_MAX).map((issue) => {
    const path = pathText(issue.path);
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  const more = error.issues.length - problems.length;
  return problems.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** `value` as the schema's output. Throws BAD_REQUEST naming the path of every problem. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(describeProblems(result.error));
}
