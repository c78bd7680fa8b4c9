import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts the bare server as a process. The caller stops it. */
export async function startBareUploadServer(
  databaseUrl: string,
  folder: string,
): Promise<{ child: ChildProcess; port: number }> {
  const script = fileURLToPath(new URL('bare-upload-server.js', import.meta.url));
  const child = spawn(process.execPath, [script, databaseUrl, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}
