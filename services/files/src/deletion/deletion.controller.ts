import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DeleteFiles } from './delete-files.usecase.js';
import { DeleteSpace } from './delete-space.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class DeletionController {
  constructor(
    private readonly deleteFilesUseCase: DeleteFiles,
    private readonly deleteSpaceUseCase: DeleteSpace,
  ) {}

  @Operation(operations.deleteFile)
  deleteFile(input: Input<'deleteFile'>, context: CallContext): Output<'deleteFile'> {
    return this.deleteFilesUseCase.one(input, context);
  }

  @Operation(operations.deleteFiles)
  deleteFiles(input: Input<'deleteFiles'>, context: CallContext): Output<'deleteFiles'> {
    return this.deleteFilesUseCase.many(input, context);
  }

  @Operation(operations.deleteSpace)
  deleteSpace(input: Input<'deleteSpace'>, context: CallContext): Output<'deleteSpace'> {
    return this.deleteSpaceUseCase.execute(input, context);
  }
}
