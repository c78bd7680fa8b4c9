/** Servers of a single spec. They do not keep the process alive, and stop with it. */
import type { ServerOptions, TemporaryHome } from '@kiln/dev';
import { makeTemporaryHome } from '@kiln/dev';

let home: Promise<TemporaryHome> | undefined;

export async function ownServerOptions(name: string): Promise<ServerOptions> {
  const { directory, registry } = await (home ??= makeHomeUntilExit());
  return { directory: `${directory}/${name}`, registry, background: true };
}

async function makeHomeUntilExit(): Promise<TemporaryHome> {
  const made = await makeTemporaryHome();
  process.once('exit', () => {
    made.registry.killAll();
    made.remove();
  });
  return made;
}
