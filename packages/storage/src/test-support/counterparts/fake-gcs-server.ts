// fake-gcs-server: Google Cloud Storage in Go, in memory. It checks neither tokens nor signatures.
import { startProgram, type Program } from './installed-program.js';

export interface FakeGcsServer {
  url: string;
  close(): Promise<void>;
}

/** Signed URLs have the host `storage.googleapis.com`. */
export async function startFakeGcsServer(program: Program): Promise<FakeGcsServer> {
  const running = await startProgram(program, (port) => [
    '-scheme=http',
    '-host=127.0.0.1',
    `-port=${port}`,
    '-backend=memory',
    `-external-url=http://127.0.0.1:${port}`,
    '-public-host=storage.googleapis.com',
  ]);
  return { url: `http://127.0.0.1:${running.port}`, close: () => running.close() };
}
