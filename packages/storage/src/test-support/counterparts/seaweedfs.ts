// SeaweedFS: the object store of docker-compose.yml, with the same settings.
import { freePort, waitUntil } from '@kiln/dev';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, type Program } from './installed-program.js';

export interface Seaweedfs {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  close(): Promise<void>;
}

const PORTS = [
  'master.port',
  'master.port.grpc',
  'volume.port',
  'volume.port.grpc',
  'filer.port',
  'filer.port.grpc',
  's3.port.grpc',
];

export async function startSeaweedfs(program: Program): Promise<Seaweedfs> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-seaweedfs-'));
  const ports = await Promise.all(PORTS.map(async (name) => `-${name}=${await freePort()}`));
  const keys = { accessKeyId: 'key', secretAccessKey: 'a-secret-of-this-test' };
  const running = await startProgram(
    program,
    (port) => [
      'server',
      `-dir=${folder}`,
      '-volume.max=0',
      '-master.volumeSizeLimitMB=1024',
      '-ip=127.0.0.1',
      '-ip.bind=127.0.0.1',
      '-s3',
      `-s3.port=${port}`,
      ...ports,
      '-s3.port.iceberg=0',
      '-s3.port.lance=0',
      '-master.telemetry=false',
    ],
    { HOME: folder, AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
  );
  const url = `http://127.0.0.1:${running.port}`;
  await waitUntil(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok, { deadlineMilliseconds: 30_000 });
  return {
    url,
    ...keys,
    close: async () => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
