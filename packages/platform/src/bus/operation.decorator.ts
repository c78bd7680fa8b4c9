// `@Operation(filesOperations.getFile)` on a controller method sets the pattern, types and validation of one operation. The method
// receives the validated input and the context, and must return the output of the contract.
//
// `@Stream(searchOperations.answer)` does so for a streaming operation. The method is an async generator: it yields the items and returns the
// output of the contract. It must heed the signal of its context.
import type {
  CallContext,
  Operation as OperationContract,
  OperationInput,
  OperationItem,
  OperationOutput,
  StreamingOperation,
} from '@kiln/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { StreamContext } from './streaming-server.js';

type OperationMethod<Op extends OperationContract> = (
  input: OperationInput<Op>,
  context: CallContext,
) => Promise<OperationOutput<Op>>;

type StreamMethod<Op extends StreamingOperation> = (
  input: OperationInput<Op>,
  context: StreamContext,
) => AsyncGenerator<OperationItem<Op>, OperationOutput<Op>>;

export interface OperationOptions<Op extends OperationContract> {
  /** How much an input asks for. See `WeightOf`. */
  weightOf?: (input: OperationInput<Op>) => number;
}

export function Operation<Op extends OperationContract>(operation: Op, options: OperationOptions<Op> = {}) {
  return handles<OperationMethod<Op>>(operation, options);
}

export function Stream<Op extends StreamingOperation>(operation: Op) {
  return handles<StreamMethod<Op>>(operation);
}

function handles<Allowed>(operation: OperationContract, options: object = {}) {
  return <Method extends Allowed>(target: object, key: string, descriptor: TypedPropertyDescriptor<Method>): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const decorate = MessagePattern(operation.subject, { operation, ...options });
    decorate(target, key, descriptor);
  };
}
