// Short names for the generated types.
import type { components, operations } from '../generated/types.js';

/** The named types of the API: `Schemas['File']`. */
export type Schemas = components['schemas'];

/** The query parameters of an operation. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The path parameters of an operation. */
export type PathParameters<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['path']>;

/** The codes of errors. Later versions of Kiln may have more. */
export type ErrorCode = Schemas['Error']['code'];
