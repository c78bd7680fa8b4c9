import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadVariants } from './read-variants.usecase.js';

@Controller()
export class VariantsController {
  constructor(private readonly readVariants: ReadVariants) {}

  @Operation(operations.listVariants)
  listVariants(input: FilesInput<'listVariants'>, context: CallContext): Promise<FilesOutput<'listVariants'>> {
    return this.readVariants.list(input, context);
  }

  @Operation(operations.getVariant)
  getVariant(input: FilesInput<'getVariant'>, context: CallContext): Promise<FilesOutput<'getVariant'>> {
    return this.readVariants.get(input, context);
  }

  @Operation(operations.getVariantContent)
  getVariantContent(
    input: FilesInput<'getVariantContent'>,
    context: CallContext,
  ): Promise<FilesOutput<'getVariantContent'>> {
    return this.readVariants.content(input, context);
  }
}
