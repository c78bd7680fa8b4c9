import { analyticsOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListRequests } from './list-requests.usecase.js';

type ListOperation = (typeof analyticsOperations)['listRequests'];

@Controller()
export class RequestsController {
  constructor(private readonly list: ListRequests) {}

  @Operation(analyticsOperations.listRequests)
  listRequests(input: OperationInput<ListOperation>, context: CallContext): Promise<OperationOutput<ListOperation>> {
    return this.list.execute(input, context);
  }
}
