/** The addresses that all replicas of a process share: that of the gateway, and that of the notifications to the files service. */
import { freePort } from '../processes/free-port.js';
import { Front, type Replica } from './front.js';
import type { PlannedService } from './services.js';

export class Fronts {
  private readonly fronts: Front[] = [];

  /** Gives the gateways, which listen on ports of their own, one address. With a single gateway, that is its own. */
  async ofGateways(plan: readonly PlannedService[], host: string, port: number): Promise<void> {
    await this.open(host, port, plan, (planned) => planned.port);
  }

  /** The address of the process that hears of arrived objects. */
  async ofArrivals(plan: readonly PlannedService[]): Promise<string> {
    const hearing = plan.filter(({ needs }) => needs.includes('arrivals'));
    const [only] = hearing;
    if (hearing.length < 2) return only?.healthUrl ?? 'http://127.0.0.1:1';
    const port = await freePort();
    await this.open('127.0.0.1', port, hearing, (planned) => planned.healthPort);
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    for (const front of this.fronts) front.close();
  }

  private async open(
    host: string,
    port: number,
    plan: readonly PlannedService[],
    portOf: (planned: PlannedService) => number | undefined,
  ): Promise<void> {
    const replicas = plan.flatMap((planned): Replica[] => {
      const own = portOf(planned);
      return own === undefined ? [] : [{ port: own, readyUrl: `${planned.healthUrl}/readyz` }];
    });
    if (replicas.length > 0) this.fronts.push(await Front.listen(host, port, replicas));
  }
}
