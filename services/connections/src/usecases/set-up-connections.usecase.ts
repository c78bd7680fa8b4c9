// What somebody who is about to connect a bucket needs to know.
import {
  storageProviderIds,
  storageProviderOf,
  type connectionsOperations,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { instructionsFor } from '../domain/instructions.js';

type Operations = typeof connectionsOperations;

export class SetUpConnections {
  constructor(private readonly awsPrincipal: string | undefined) {}

  listProviders(): OperationOutput<Operations['listProviders']> {
    const providers = storageProviderIds.map((id) => {
      const { name, authTypes } = storageProviderOf(id);
      return { id, name, auth_type: authTypes[0], auth_types: [...authTypes] };
    });
    return { providers };
  }

  start(input: OperationInput<Operations['startConnection']>): OperationOutput<Operations['startConnection']> {
    const { provider, org_id: organizationId } = input;
    const [authType] = storageProviderOf(provider).authTypes;
    const instructions = instructionsFor(provider, { organizationId, awsPrincipal: this.awsPrincipal });
    return { provider, auth_type: authType, instructions };
  }
}
