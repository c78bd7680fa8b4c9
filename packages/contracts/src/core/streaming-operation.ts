// An operation that returns its result in parts: items as they come, then the output. For results that a caller reads while they are
// made. The bus limits how far a service runs ahead of its caller, and stops the work when the caller leaves.
import type { z } from 'zod';
import type { Operation } from './operation.js';

export interface StreamingOperation<
  Input extends z.ZodType = z.ZodType,
  Item extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends Operation<Input, Output> {
  /** The pieces that are sent, in any number, before the output. `timeoutMs` limits the whole stream. */
  readonly item: Item;
}

export type OperationItem<Op extends StreamingOperation> = z.output<Op['item']>;

export function streamingOperation<Input extends z.ZodType, Item extends z.ZodType, Output extends z.ZodType>(
  definition: StreamingOperation<Input, Item, Output>,
): StreamingOperation<Input, Item, Output> {
  return Object.freeze(definition);
}

export const isStreaming = (operation: Operation): operation is StreamingOperation => 'item' in operation;
