import {
  jobsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CountPages } from './pages/count-pages.usecase.js';
import { ManageSettings } from './settings/manage-settings.usecase.js';
import { ManageProviderKeys } from './provider-keys/manage-provider-keys.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class OrganizationController {
  constructor(
    private readonly organization: ManageSettings,
    private readonly providerKeys: ManageProviderKeys,
    private readonly pages: CountPages,
  ) {}

  @Operation(operations.getSettings)
  getSettings(_input: Input<'getSettings'>, context: CallContext): Output<'getSettings'> {
    return this.organization.getSettings(context);
  }

  @Operation(operations.updateSettings)
  updateSettings(input: Input<'updateSettings'>, context: CallContext): Output<'updateSettings'> {
    return this.organization.updateSettings(input, context);
  }

  @Operation(operations.getRoutingRules)
  getRoutingRules(_input: Input<'getRoutingRules'>, context: CallContext): Output<'getRoutingRules'> {
    return this.organization.getRules(context);
  }

  @Operation(operations.setRoutingRules)
  setRoutingRules(input: Input<'setRoutingRules'>, context: CallContext): Output<'setRoutingRules'> {
    return this.organization.setRules(input, context);
  }

  @Operation(operations.listProviderKeys)
  listProviderKeys(_input: Input<'listProviderKeys'>, context: CallContext): Output<'listProviderKeys'> {
    return this.providerKeys.list(context);
  }

  @Operation(operations.getSealedProviderKey)
  getSealedProviderKey(input: Input<'getSealedProviderKey'>, context: CallContext): Output<'getSealedProviderKey'> {
    return this.providerKeys.getSealed(input, context);
  }

  @Operation(operations.setProviderKey)
  setProviderKey(input: Input<'setProviderKey'>, context: CallContext): Output<'setProviderKey'> {
    return this.providerKeys.save(input, context);
  }

  @Operation(operations.deleteProviderKey)
  deleteProviderKey(input: Input<'deleteProviderKey'>, context: CallContext): Output<'deleteProviderKey'> {
    return this.providerKeys.remove(input, context);
  }

  @Operation(operations.getUsage)
  getUsage(_input: Input<'getUsage'>, context: CallContext): Output<'getUsage'> {
    return this.pages.getUsage(context);
  }

  @Operation(operations.reservePages)
  reservePages(input: Input<'reservePages'>, context: CallContext): Output<'reservePages'> {
    return this.pages.reserve(input, context);
  }

  @Operation(operations.releasePages)
  releasePages(input: Input<'releasePages'>, context: CallContext): Output<'releasePages'> {
    return this.pages.release(input, context);
  }
}
