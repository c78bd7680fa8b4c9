import { jobsOperations as operations, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CountPages } from './pages/count-pages.usecase.js';
import { ManageSettings } from './settings/manage-settings.usecase.js';
import { ManageProviderKeys } from './provider-keys/manage-provider-keys.usecase.js';

@Controller()
export class OrganizationController {
  constructor(
    private readonly organization: ManageSettings,
    private readonly providerKeys: ManageProviderKeys,
    private readonly pages: CountPages,
  ) {}

  @Operation(operations.getSettings)
  getSettings(_input: JobsInput<'getSettings'>, context: CallContext): Promise<JobsOutput<'getSettings'>> {
    return this.organization.getSettings(context);
  }

  @Operation(operations.updateSettings)
  updateSettings(input: JobsInput<'updateSettings'>, context: CallContext): Promise<JobsOutput<'updateSettings'>> {
    return this.organization.updateSettings(input, context);
  }

  @Operation(operations.getRoutingRules)
  getRoutingRules(_input: JobsInput<'getRoutingRules'>, context: CallContext): Promise<JobsOutput<'getRoutingRules'>> {
    return this.organization.getRules(context);
  }

  @Operation(operations.setRoutingRules)
  setRoutingRules(input: JobsInput<'setRoutingRules'>, context: CallContext): Promise<JobsOutput<'setRoutingRules'>> {
    return this.organization.setRules(input, context);
  }

  @Operation(operations.listProviderKeys)
  listProviderKeys(
    _input: JobsInput<'listProviderKeys'>,
    context: CallContext,
  ): Promise<JobsOutput<'listProviderKeys'>> {
    return this.providerKeys.list(context);
  }

  @Operation(operations.getSealedProviderKey)
  getSealedProviderKey(
    input: JobsInput<'getSealedProviderKey'>,
    context: CallContext,
  ): Promise<JobsOutput<'getSealedProviderKey'>> {
    return this.providerKeys.getSealed(input, context);
  }

  @Operation(operations.setProviderKey)
  setProviderKey(input: JobsInput<'setProviderKey'>, context: CallContext): Promise<JobsOutput<'setProviderKey'>> {
    return this.providerKeys.save(input, context);
  }

  @Operation(operations.deleteProviderKey)
  deleteProviderKey(
    input: JobsInput<'deleteProviderKey'>,
    context: CallContext,
  ): Promise<JobsOutput<'deleteProviderKey'>> {
    return this.providerKeys.remove(input, context);
  }

  @Operation(operations.getUsage)
  getUsage(_input: JobsInput<'getUsage'>, context: CallContext): Promise<JobsOutput<'getUsage'>> {
    return this.pages.getUsage(context);
  }

  @Operation(operations.reservePages)
  reservePages(input: JobsInput<'reservePages'>, context: CallContext): Promise<JobsOutput<'reservePages'>> {
    return this.pages.reserve(input, context);
  }

  @Operation(operations.releasePages)
  releasePages(input: JobsInput<'releasePages'>, context: CallContext): Promise<JobsOutput<'releasePages'>> {
    return this.pages.release(input, context);
  }
}
