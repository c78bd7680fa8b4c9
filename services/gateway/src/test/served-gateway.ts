// A gateway process on servers of its own, with fakes of the services behind it (see fake-services.ts).
import { CheckedResponses } from '@kiln/openapi-check';
import { startFakes, type FakeServices } from './fake-services.js';
import { GatewayProcess, testSurroundings, type TestSurroundings } from './gateway-process.js';

export class ServedGateway {
  private constructor(
    readonly surroundings: TestSurroundings,
    readonly fakes: FakeServices,
    readonly process: GatewayProcess,
    /** Checks responses against the OpenAPI document. */
    readonly responses: CheckedResponses,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<ServedGateway> {
    const surroundings = await testSurroundings();
    const fakes = await startFakes(surroundings);
    const process = await GatewayProcess.start(surroundings, environment);
    return new ServedGateway(surroundings, fakes, process, await CheckedResponses.of(process.url));
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.fakes.stop();
    await this.surroundings.close();
  }
}
