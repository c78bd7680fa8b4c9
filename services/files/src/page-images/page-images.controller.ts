import { filesOperations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { GetPageImage } from './get-page-image.usecase.js';

@Controller()
export class PageImagesController {
  constructor(private readonly get: GetPageImage) {}

  @Operation(filesOperations.getPageImage)
  getPageImage(input: FilesInput<'getPageImage'>, context: CallContext): Promise<FilesOutput<'getPageImage'>> {
    return this.get.execute(input, context);
  }
}
