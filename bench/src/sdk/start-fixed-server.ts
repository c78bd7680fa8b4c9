import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The caller stops it. */
export async function startFixedServer(): Promise<{ child: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('fixed-server.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: `http://127.0.0.1:${Number(line.toString())}` };
}
