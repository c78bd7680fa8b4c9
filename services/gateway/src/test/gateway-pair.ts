// Two gateways on the same servers, with responders behind them. What holds on one must hold on both.
import { type Scope, type KeyMode } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { newApiKey } from '../keys/api-key.domain.js';
import { ApiKeyStore } from '../keys/api-key.store.js';
import { OrganizationStore } from '../organizations/organization.store.js';
import { startFakes, type FakeServices } from './fake-services.js';
import { GatewayProcess, openDatabase, testSurroundings, type TestSurroundings } from './gateway-process.js';

const GENEROUS = { KILN_RATE_LIMIT_BURST: '100000', KILN_RATE_LIMIT_RPS: '100000' };

export interface KeyWishes {
  scopes?: readonly Scope[];
  mode?: KeyMode;
  organizationId?: string;
}

export class GatewayPair {
  readonly organizations: OrganizationStore;
  private readonly keys: ApiKeyStore;

  private constructor(
    readonly surroundings: TestSurroundings,
    readonly fakes: FakeServices,
    readonly database: Database,
    readonly first: GatewayProcess,
    readonly second: GatewayProcess,
  ) {
    this.organizations = new OrganizationStore(database);
    this.keys = new ApiKeyStore(database);
  }

  static async start(environment: Record<string, string> = {}): Promise<GatewayPair> {
    const surroundings = await testSurroundings();
    const fakes = await startFakes(surroundings);
    const database = await openDatabase(surroundings);
    const start = () => GatewayProcess.start(surroundings, { ...GENEROUS, ...environment });
    const [first, second] = await Promise.all([start(), start()]);
    return new GatewayPair(surroundings, fakes, database, first, second);
  }

  get gateways(): GatewayProcess[] {
    return [this.first, this.second];
  }

  query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.database.query({ name: '', text }, values);
  }

  /** The organization that the first start made. */
  async firstOrganizationId(): Promise<string> {
    const [organization] = await this.organizations.list();
    if (!organization) throw new Error('no organization');
    return organization.id;
  }

  /** Makes a key as an operator would. */
  async newKey({ scopes = ['*'], mode = 'live', organizationId }: KeyWishes = {}): Promise<{
    id: string;
    value: string;
  }> {
    const { value, fingerprint } = newApiKey(mode);
    const owner = organizationId ?? (await this.firstOrganizationId());
    const { id } = await this.keys.create(owner, fingerprint, { name: 'made by the test', scopes, expires_at: null });
    return { id, value };
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    await this.fakes.stop();
    await this.database.close();
    await this.surroundings.close();
  }
}
