import {
  __name__Operations as operations,
  type CallContext,
  type __Name__Input,
  type __Name__Output,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { Manage__Noun__s } from './manage-__noun__s.usecase.js';

@Controller()
export class __Noun__sController {
  constructor(private readonly manage: Manage__Noun__s) {}

  @Operation(operations.create__Noun__)
  create__Noun__(input: __Name__Input<'create__Noun__'>, context: CallContext): Promise<__Name__Output<'create__Noun__'>> {
    return this.manage.create(input, context);
  }

  @Operation(operations.get__Noun__)
  get__Noun__(input: __Name__Input<'get__Noun__'>, context: CallContext): Promise<__Name__Output<'get__Noun__'>> {
    return this.manage.get(input, context);
  }

  @Operation(operations.list__Noun__s)
  list__Noun__s(input: __Name__Input<'list__Noun__s'>, context: CallContext): Promise<__Name__Output<'list__Noun__s'>> {
    return this.manage.list(input, context);
  }
}
