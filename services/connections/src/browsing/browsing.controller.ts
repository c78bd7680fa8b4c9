import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { BrowseBuckets } from './browse-buckets.usecase.js';

@Controller()
export class BrowsingController {
  constructor(private readonly buckets: BrowseBuckets) {}

  @Operation(operations.listBuckets)
  listBuckets(input: ConnectionsInput<'listBuckets'>, context: CallContext): Promise<ConnectionsOutput<'listBuckets'>> {
    return this.buckets.listBuckets(input, context);
  }

  @Operation(operations.browseConnection)
  browseConnection(
    input: ConnectionsInput<'browseConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'browseConnection'>> {
    return this.buckets.browse(input, context);
  }
}
