import {
  webhooksOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReplayEvents } from './replay-events.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class ReplaysController {
  constructor(private readonly events: ReplayEvents) {}

  @Operation(operations.replayEvents)
  replayEvents(input: Input<'replayEvents'>, context: CallContext): Output<'replayEvents'> {
    return this.events.replay(input, context);
  }

  @Operation(operations.recoverDeliveries)
  recoverDeliveries(input: Input<'recoverDeliveries'>, context: CallContext): Output<'recoverDeliveries'> {
    return this.events.recover(input, context);
  }
}
