// Validation messages that follow the path of a field: `files[3].filename must be a string`.
import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  date: 'a date',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' elements', record: ' keys' };

const shown = (values: readonly unknown[]) => values.map(String).join(', ');

function bound(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const [words, limit] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  const unit = UNITS[issue.origin];
  if (unit && issue.code === 'too_small' && issue.minimum === 1) return 'must not be empty';
  return unit ? `must have ${words} ${limit}${unit}` : `must be ${words} ${limit}`;
}

function describeIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${shown(issue.values)}` : `must be one of ${shown(issue.values)}`;
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not a valid name';
    case 'unrecognized_keys':
      return `has fields that do not exist: ${shown(issue.keys)}`;
    case 'invalid_union':
      return 'has none of the accepted forms';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_element':
    case 'custom':
      return undefined;
  }
}

/** Sets the messages of schemas that define none. */
export function usePlainProblems(): void {
  z.config({ customError: (issue) => describeIssue(issue) });
}
