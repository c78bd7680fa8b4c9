import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { UploadNode } from './upload-node.usecase.js';

@Controller()
export class UploadsController {
  constructor(private readonly upload: UploadNode) {}

  @Operation(operations.initNodeUpload)
  initNodeUpload(
    input: ConnectionsInput<'initNodeUpload'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'initNodeUpload'>> {
    return this.upload.init(input, context);
  }

  @Operation(operations.commitNodeUpload)
  commitNodeUpload(
    input: ConnectionsInput<'commitNodeUpload'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'commitNodeUpload'>> {
    return this.upload.commit(input, context);
  }
}
