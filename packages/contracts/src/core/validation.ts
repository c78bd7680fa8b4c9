// Converts validation errors to one message that names the path of each field.
import type { z } from 'zod';
import { badRequest } from './errors.js';
import { usePlainProblems } from './plain-problems.js';

usePlainProblems();

const PROBLEMS_MAX = 10;

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  return text;
}

/** One message for each invalid field: `metadata.owner must be a string`. */
export function problemsOf(error: z.ZodError): string[] {
  const wrongTypes = new Set(error.issues.filter(isWrongType).map(({ path }) => pathText(path)));
  // A text in place of a list has a length, too, which no caller has asked about.
  const issues = error.issues.filter((issue) => isWrongType(issue) || !wrongTypes.has(pathText(issue.path)));
  return issues.map(({ path, message }) => `${path.length === 0 ? 'The value' : pathText(path)} ${message}`);
}

const isWrongType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type';

/** At most ten problems in one line. */
export function describeProblems(error: z.ZodError): string {
  const problems = problemsOf(error);
  const shown = problems.slice(0, PROBLEMS_MAX).join('; ');
  return problems.length > PROBLEMS_MAX ? `${shown}; and ${problems.length - PROBLEMS_MAX} more` : shown;
}

/** Parses `value`. Throws BAD_REQUEST with the path of every invalid field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(describeProblems(result.error));
}
