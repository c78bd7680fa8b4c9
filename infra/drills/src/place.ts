/** The folders and servers of a drill. They are removed and stopped in reverse order. */
import { makeTemporaryHome, type ServerOptions } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { join } from 'node:path';

export class Place {
  private readonly undoing: (() => unknown)[] = [];

  private constructor(private readonly home: Awaited<ReturnType<typeof makeTemporaryHome>>) {
    this.undoing.push(() => home.remove());
    process.once('exit', () => home.registry.killAll());
  }

  static async make(): Promise<Place> {
    return new Place(await makeTemporaryHome());
  }

  folder(name: string): string {
    return join(this.home.directory, name);
  }

  optionsOf(name: string): ServerOptions {
    return { directory: this.folder(name), registry: this.home.registry, background: true };
  }

  /** `stop` calls it. */
  atEnd(undo: () => unknown): void {
    this.undoing.push(undo);
  }

  async startSystem(environment: Readonly<Record<string, string>> = {}, entry?: string): Promise<RunningSystem> {
    const system = await startSystem({
      dataDir: this.folder('kiln'),
      environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1', KILN_RATE_LIMIT_RPS: '1000', ...environment },
      ...(entry !== undefined && { entry }),
    });
    this.atEnd(() => system.stop());
    return system;
  }

  readonly stop = async (): Promise<void> => {
    for (const undo of this.undoing.splice(0).toReversed()) await undo();
  };
}
