// A gateway process with fakes of the services. A spec creates organizations and keys in its database.
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

interface Parts {
  surroundings: TestSurroundings;
  fakes: FakeServices;
  database: Database;
  processes: readonly GatewayProcess[];
}

export class GatewayWithKeys {
  readonly surroundings: TestSurroundings;
  readonly fakes: FakeServices;
  readonly database: Database;
  readonly gateways: readonly GatewayProcess[];
  readonly organizations: OrganizationStore;
  private readonly keys: ApiKeyStore;

  protected constructor({ surroundings, fakes, database, processes }: Parts) {
    this.surroundings = surroundings;
    this.fakes = fakes;
    this.database = database;
    this.gateways = processes;
    this.organizations = new OrganizationStore(database);
    this.keys = new ApiKeyStore(database);
  }

  static async start(environment: Record<string, string> = {}): Promise<GatewayWithKeys> {
    return new GatewayWithKeys(await GatewayWithKeys.startParts(environment, 1));
  }

  protected static async startParts(environment: Record<string, string>, count: number): Promise<Parts> {
    const surroundings = await testSurroundings();
    const fakes = await startFakes(surroundings);
    const database = await openDatabase(surroundings);
    const start = () => GatewayProcess.start(surroundings, { ...GENEROUS, ...environment });
    const processes = await Promise.all(Array.from({ length: count }, start));
    return { surroundings, fakes, database, processes };
  }

  get first(): GatewayProcess {
    return this.at(0);
  }

  protected at(index: number): GatewayProcess {
    const gateway = this.gateways[index];
    if (!gateway) throw new Error(`there is no gateway ${index}`);
    return gateway;
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
