// The problems that the API found in a request, by field: `default_chunking.chunk_size must be at least 100; color must be …`.
import { KilnApiError } from '@kiln/sdk';

export interface FieldErrors {
  /** The problem of the field or of a part of it. Null if there is none. */
  of: (path: string) => string | null;
  /** Whether each problem belongs to a field of the form. */
  isComplete: boolean;
}

interface Problem {
  path: string;
  message: string;
}

const PATH_AND_MESSAGE = /^(\S+) (.*)$/s;

/** `fields` are the fields of the form, as the API calls them. */
export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  const problems = error instanceof KilnApiError && error.status === 400 ? problemsOf(error.message, fields) : [];
  return {
    of: (path) => {
      const found = problems.filter((problem) => isOf(problem, path));
      return found.length === 0 ? null : found.map(({ message }) => sentenceOf(message)).join('; ');
    },
    isComplete: problems.length > 0 && problems.every((problem) => fields.some((field) => isOf(problem, field))),
  };
}

const isOf = ({ path }: Problem, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

/** A message may contain a semicolon, so that only one before a field separates two problems. */
function problemsOf(text: string, fields: readonly string[]): Problem[] {
  const nextProblem = new RegExp(`; (?=(?:${fields.join('|')})(?:\\[\\d+\\]|\\.\\w+)* )`);
  return text.split(nextProblem).map((part) => {
    const [, path = '', message = part] = PATH_AND_MESSAGE.exec(part) ?? [];
    return { path, message };
  });
}

/** At its field, a problem has no subject. */
const sentenceOf = (message: string): string =>
  message.replace(/^(?:must|is|has) /, (verb) => verb.charAt(0).toUpperCase() + verb.slice(1));

/** The index of the first element of a list that is refused: 1 for `frame_ancestors[1] must be …`. */
export function refusedIndex(error: unknown, list: string): number | null {
  if (!(error instanceof KilnApiError)) return null;
  const found = new RegExp(`\\b${list}\\[(\\d+)\\]`).exec(error.message);
  return found ? Number(found[1]) : null;
}
