// An operation is one object that the gateway, the service and the docs all read: what it is called on the bus, what goes
// in, what comes out, which errors it may give and how long it may take.
import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** An invalid input, a fault of ours, a part that is down, and too many calls of one tenant at once. */
export const commonErrors: readonly ErrorCode[] = ['BAD_REQUEST', 'INTERNAL_ERROR', 'UNAVAILABLE', 'RATE_LIMITED'];

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** NATS subject, `<service>.<verbNoun>.v<version>`; also its name in logs and metrics. */
  readonly subject: string;
  readonly input: Input;
  readonly output: Output;
  /** Errors beyond those that every operation may give (`commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** The longest a caller waits, in milliseconds, when its own deadline is not nearer. */
  readonly timeoutMs: number;
  /** Whether a caller that got no answer may send it again. */
  readonly idempotent: boolean;
}

export type OperationInput<Op extends Operation> = z.output<Op['input']>;
export type OperationOutput<Op extends Operation> = z.output<Op['output']>;

export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return Object.freeze(definition);
}
