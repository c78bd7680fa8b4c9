import {
  __name__Operations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { Manage__Noun__s } from './manage-__noun__s.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class __Noun__sController {
  constructor(private readonly manage: Manage__Noun__s) {}

  @Operation(operations.create__Noun__)
  create__Noun__(input: Input<'create__Noun__'>, context: CallContext): Output<'create__Noun__'> {
    return this.manage.create(input, context);
  }

  @Operation(operations.get__Noun__)
  get__Noun__(input: Input<'get__Noun__'>, context: CallContext): Output<'get__Noun__'> {
    return this.manage.get(input, context);
  }

  @Operation(operations.list__Noun__s)
  list__Noun__s(input: Input<'list__Noun__s'>, context: CallContext): Output<'list__Noun__s'> {
    return this.manage.list(input, context);
  }
}
