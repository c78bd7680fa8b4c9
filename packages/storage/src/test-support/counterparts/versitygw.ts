// Versity S3 Gateway: an S3 server in Go that checks signatures and their region, and enforces bucket policies with conditions.
import { PutBucketCorsCommand, PutBucketPolicyCommand, S3Client, type CORSRule } from '@aws-sdk/client-s3';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProgram, type Program } from './installed-program.js';

export interface Versitygw {
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Creates a user that has no right until a bucket policy gives one. */
  addUser(accessKeyId: string, secretAccessKey: string): Promise<void>;
  putPolicy(bucket: string, policy: string): Promise<void>;
  putCors(bucket: string, rules: object[]): Promise<void>;
  close(): Promise<void>;
}

export async function startVersitygw(program: Program, { region = 'us-east-1' } = {}): Promise<Versitygw> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-versitygw-'));
  const [objects, users] = [join(folder, 'objects'), join(folder, 'users')];
  await Promise.all([mkdir(objects), mkdir(users)]);
  const root = { accessKeyId: 'root', secretAccessKey: 'root-secret' };
  const keys = ['--access', root.accessKeyId, '--secret', root.secretAccessKey, '--region', region];
  const running = await startProgram(program, (port) => [
    ...keys,
    `--port=127.0.0.1:${port}`,
    `--iam-dir=${users}`,
    '--iam-cache-disable',
    '--quiet',
    'posix',
    objects,
  ]);
  const url = `http://127.0.0.1:${running.port}`;
  const asRoot = async (call: (client: S3Client) => Promise<unknown>) => {
    const client = new S3Client({ endpoint: url, region, forcePathStyle: true, credentials: root });
    await call(client);
    client.destroy();
  };
  return {
    url,
    region,
    ...root,
    addUser: async (accessKeyId, secretAccessKey) => {
      const user = ['--access', accessKeyId, '--secret', secretAccessKey, '--role', 'user'];
      await promisify(execFile)(program.path, ['admin', ...keys, '--endpoint-url', url, 'create-user', ...user]);
    },
    putPolicy: (Bucket, Policy) => asRoot((client) => client.send(new PutBucketPolicyCommand({ Bucket, Policy }))),
    putCors: (Bucket, rules) => {
      const CORSConfiguration = { CORSRules: rules as CORSRule[] };
      return asRoot((client) => client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration })));
    },
    close: async () => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
