// A gateway for specs of uploads, with the objects of its first organization. Real: gateway process, Postgres, NATS, Redis, object store.
// FAKES: the files and jobs services (responders on the real bus, see fake-services.ts).
import { expect } from '@jest/globals';
import { filesOperations, sourceKey, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { startFakes, type FakeServices } from './fake-services.js';
import { GatewayProcess, testSurroundings, type TestSurroundings } from './gateway-process.js';

export const MIB = 1024 * 1024;
export const LIMIT_BYTES = 300 * MIB;

export function formOf(
  fields: Record<string, string>,
  content: string | Buffer<ArrayBuffer> = 'hello',
  filename = 'a.txt',
): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), filename);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

export class UploadGateway {
  private constructor(
    readonly surroundings: TestSurroundings,
    readonly fakes: FakeServices,
    readonly process: GatewayProcess,
    private readonly tenantId: string,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<UploadGateway> {
    const surroundings = await testSurroundings();
    const fakes = await startFakes(surroundings);
    const limits = { KILN_MAX_UPLOAD_BYTES: String(LIMIT_BYTES) };
    const process = await GatewayProcess.start(surroundings, { ...limits, ...environment });
    await process.fetch('/v1/files');
    const tenantId = fakes.calls[0]?.context.tenantId;
    if (tenantId === undefined) throw new Error('the gateway called no service');
    return new UploadGateway(surroundings, fakes, process, tenantId);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.fakes.stop();
    await this.surroundings.store.deletePrefix(`${this.tenantId}/`);
    await this.surroundings.close();
  }

  get url(): string {
    return this.process.url;
  }

  async upload(form: FormData): Promise<{ status: number; body: Record<string, string> }> {
    const response = await this.process.fetch('/v1/upload', { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  /** The object's bytes, or null. */
  async objectOf(fileId: string): Promise<Buffer | null> {
    const { store } = this.surroundings;
    const key = sourceKey(this.tenantId, uuidOf('file', fileId));
    if (!(await store.head(key))) return null;
    const pieces: Buffer[] = [];
    for await (const piece of (await store.get(key)).body) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }

  async objects(): Promise<string[]> {
    return (await this.surroundings.store.list(`${this.tenantId}/`)).objects.map(({ key }) => key);
  }

  /** `attempt` leaves neither an object nor a row. */
  async keepsNothing(attempt: () => Promise<unknown>): Promise<void> {
    const before = await this.objects();
    await attempt();
    await eventually(async () => expect(await this.objects()).toStrictEqual(before));
    expect(this.fakes.callsOf(filesOperations.createFile)).toStrictEqual([]);
  }
}
