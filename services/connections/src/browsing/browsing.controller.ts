import {
  connectionsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { BrowseBuckets } from './browse-buckets.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class BrowsingController {
  constructor(private readonly buckets: BrowseBuckets) {}

  @Operation(operations.listBuckets)
  listBuckets(input: Input<'listBuckets'>, context: CallContext): Output<'listBuckets'> {
    return this.buckets.listBuckets(input, context);
  }

  @Operation(operations.browseConnection)
  browseConnection(input: Input<'browseConnection'>, context: CallContext): Output<'browseConnection'> {
    return this.buckets.browse(input, context);
  }
}
