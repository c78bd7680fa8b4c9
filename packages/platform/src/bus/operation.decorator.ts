// `@Operation(filesOperations.getFile)` on a controller method sets the pattern, types and validation of one operation. The method
// receives the validated input and the context, and must return the output of the contract.
import type { CallContext, Operation as OperationContract, OperationInput, OperationOutput } from '@kiln/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

type OperationMethod<Op extends OperationContract> = (
  input: OperationInput<Op>,
  context: CallContext,
) => Promise<OperationOutput<Op>>;

export interface OperationOptions<Op extends OperationContract> {
  /** How much an input asks for. See `WeightOf`. */
  weightOf?: (input: OperationInput<Op>) => number;
}

export function Operation<Op extends OperationContract>(operation: Op, options: OperationOptions<Op> = {}) {
  return <Method extends OperationMethod<Op>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const decorate = MessagePattern(operation.subject, { operation, ...options });
    decorate(target, key, descriptor);
  };
}
