// Two gateways on the same servers. What holds on one must hold on both.
import type { GatewayProcess } from './gateway-process.js';
import { GatewayWithKeys } from './gateway-with-keys.js';

export class GatewayPair extends GatewayWithKeys {
  static override async start(environment: Record<string, string> = {}): Promise<GatewayPair> {
    return new GatewayPair(await GatewayWithKeys.startParts(environment, 2));
  }

  get second(): GatewayProcess {
    return this.at(1);
  }
}
