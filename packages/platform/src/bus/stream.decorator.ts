// `@Stream(searchOperations.answer)` on a controller method sets the pattern, types and validation of one streaming operation. The method
// is an async generator: it yields the items and returns the output of the contract. It must heed the signal of its context.
import type { OperationInput, OperationItem, OperationOutput, StreamingOperation } from '@kiln/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { StreamContext } from './streaming-server.js';

type StreamMethod<Op extends StreamingOperation> = (
  input: OperationInput<Op>,
  context: StreamContext,
) => AsyncGenerator<OperationItem<Op>, OperationOutput<Op>>;

export function Stream<Op extends StreamingOperation>(operation: Op) {
  return <Method extends StreamMethod<Op>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const decorate = MessagePattern(operation.subject, { operation });
    decorate(target, key, descriptor);
  };
}
