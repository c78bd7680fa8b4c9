// The problems that the API found in a request, by field: `default_chunking.chunk_size must be at least 100; color must be …`.
import { KilnApiError } from '@kiln/sdk';

export interface FieldErrors {
  /** What is wrong with the field or a part of it; null if nothing is. */
  of: (path: string) => string | null;
  /** Whether each problem belongs to one of the fields. */
  areAllOf: (paths: readonly string[]) => boolean;
}

interface Problem {
  path: string;
  message: string;
}

/** A problem begins with a path, and a message may contain a semicolon. */
const NEXT_PROBLEM = /; (?=[a-z_]+(?:\[\d+\]|\.[a-z_]+)* (?:must|is|has) )/;
const PATH_AND_MESSAGE = /^(\S+) (.*)$/s;

export function fieldErrors(error: unknown): FieldErrors {
  const problems = error instanceof KilnApiError && error.status === 400 ? problemsOf(error.message) : [];
  const isOf = (problem: Problem, path: string) =>
    problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`);
  return {
    of: (path) => {
      const found = problems.filter((problem) => isOf(problem, path));
      return found.length === 0 ? null : found.map(({ message }) => message).join('; ');
    },
    areAllOf: (paths) => problems.length > 0 && problems.every((problem) => paths.some((path) => isOf(problem, path))),
  };
}

function problemsOf(text: string): Problem[] {
  return text.split(NEXT_PROBLEM).map((part) => {
    const [, path = '', message = part] = PATH_AND_MESSAGE.exec(part) ?? [];
    return { path, message };
  });
}

/** The index of the first element of a list that is refused: 1 for `frame_ancestors[1] must be …`. */
export function refusedIndex(error: unknown, list: string): number | null {
  if (!(error instanceof KilnApiError)) return null;
  const found = new RegExp(`\\b${list}\\[(\\d+)\\]`).exec(error.message);
  return found ? Number(found[1]) : null;
}
