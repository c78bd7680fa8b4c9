import {
  connectionsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { UploadNode } from './upload-node.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class UploadsController {
  constructor(private readonly upload: UploadNode) {}

  @Operation(operations.initNodeUpload)
  initNodeUpload(input: Input<'initNodeUpload'>, context: CallContext): Output<'initNodeUpload'> {
    return this.upload.init(input, context);
  }

  @Operation(operations.commitNodeUpload)
  commitNodeUpload(input: Input<'commitNodeUpload'>, context: CallContext): Output<'commitNodeUpload'> {
    return this.upload.commit(input, context);
  }
}
