// An operation: its name on the bus, its input and output schemas, its errors and its timeout. The gateway, the services and
// the docs all read this object.
import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** Invalid input, an internal error, an unavailable dependency, and too many concurrent calls of one tenant. */
export const commonErrors: readonly ErrorCode[] = ['BAD_REQUEST', 'INTERNAL_ERROR', 'UNAVAILABLE', 'RATE_LIMITED'];

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** NATS subject, `<service>.<verbNoun>.v<version>`; also its name in logs and metrics. */
  readonly subject: string;
  readonly input: Input;
  readonly output: Output;
  /** Errors in addition to `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** The longest a caller waits, in milliseconds. The caller's own deadline may be nearer. */
  readonly timeoutMs: number;
  /** Whether a caller that got no response may retry. */
  readonly idempotent: boolean;
  /** Grows when the input gets options that a service of an earlier release does not know. Default 1. */
  readonly revision?: number;
  /** The revision that an input needs. The call fails with UNAVAILABLE if a service of an earlier one answers. Default 1. */
  revisionOf?(this: void, input: z.input<Input>): number;
}

export type OperationInput<Op extends Operation> = z.output<Op['input']>;
export type OperationOutput<Op extends Operation> = z.output<Op['output']>;

export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return Object.freeze(definition);
}
