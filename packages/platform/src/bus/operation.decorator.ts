// `@Operation(filesOperations.getFile)` on a controller method: pattern, types and validation of one operation in one word.
// The method gets the validated input and the context, and must return what the contract says.
import type { CallContext, Operation as OperationContract, OperationInput, OperationOutput } from '@kiln/contracts';
import { MessagePattern } from '@nestjs/microservices';

type OperationMethod<Op extends OperationContract> = (
  input: OperationInput<Op>,
  context: CallContext,
) => Promise<OperationOutput<Op>>;

export function Operation<Op extends OperationContract>(operation: Op) {
  return (target: object, key: string, descriptor: TypedPropertyDescriptor<OperationMethod<Op>>): void => {
    MessagePattern(operation.subject, { operation })(target, key, descriptor);
  };
}
