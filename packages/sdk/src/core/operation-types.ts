// Short names for the generated types.
import type { Parameters, Schemas } from '../generated/types.js';

/** The named types of the API: `Schemas['File']`. */
export type { Schemas } from '../generated/types.js';

/** The query parameters of an operation. */
export type Query<Id extends keyof Parameters> = Parameters[Id] extends { query: infer Values } ? Values : never;

/** The path parameters of an operation. */
export type PathParameters<Id extends keyof Parameters> = Parameters[Id] extends { path: infer Values }
  ? Values
  : never;

/** The codes of errors. Later versions of Kiln may have more. */
export type ErrorCode = Schemas['Error']['code'];
