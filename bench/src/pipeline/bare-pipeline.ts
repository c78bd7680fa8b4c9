// The baseline: one Node process that does the necessary work of each upload for one tenant, without a queue. It writes the bytes
// with fdatasync, commits the rows of file and job, extracts the markdown, commits variants and passages in a text index, and posts
// the signed webhook. argv: database URL, folder, webhook URL. Prints its port.
import createParser from 'busboy';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { Pool } from 'undici';
import { v7 as uuidv7 } from 'uuid';

const [databaseUrl = '', folder = '', webhookUrl = ''] = process.argv.slice(2);
const database = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const target = new URL(webhookUrl);
const webhooks = new Pool(target.origin, { connections: 16 });
const secret = randomBytes(32);
const tenantId = uuidv7();
const PASSAGE_CHARACTERS = 1_000;

await mkdir(folder, { recursive: true });
await database.query(`create schema bare;
  create table bare.files (tenant_id uuid, id uuid, filename text, size_bytes bigint, status text, created_at timestamptz default now(), primary key (tenant_id, id));
  create table bare.jobs (tenant_id uuid, id uuid, file_id uuid, status text, created_at timestamptz default now(), primary key (tenant_id, id));
  create table bare.variants (tenant_id uuid, file_id uuid, type text, content text, primary key (tenant_id, file_id, type));
  create table bare.passages (tenant_id uuid, file_id uuid, number int, content text, terms tsvector, primary key (tenant_id, file_id, number));
  create index on bare.passages using gin (terms)`);

const named = (name: string, text: string) => ({ name, text });
const insertFile = named('file', `insert into bare.files values ($1, $2, $3, $4, 'uploaded')`);
const insertJob = named('job', `insert into bare.jobs values ($1, $2, $3, 'queued')`);
const insertVariants = named(
  'variants',
  `insert into bare.variants select $1, $2, * from unnest($3::text[], $4::text[])`,
);
const insertPassages = named(
  'passages',
  `insert into bare.passages select $1, $2, number, content, to_tsvector('english', content)
   from unnest($3::text[]) with ordinality passage (content, number)`,
);
const completeFile = named(
  'complete-file',
  `update bare.files set status = 'completed' where tenant_id = $1 and id = $2`,
);
const completeJob = named('complete-job', `update bare.jobs set status = 'completed' where tenant_id = $1 and id = $2`);

async function inTransaction(statements: readonly [statement: { name: string; text: string }, values: unknown[]][]) {
  const client = await database.connect();
  try {
    await client.query('begin');
    for (const [statement, values] of statements) await client.query({ ...statement, values });
    await client.query('commit');
  } finally {
    client.release();
  }
}

function readUpload(request: IncomingMessage): Promise<{ filename: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const parser = createParser({ headers: request.headers });
    parser.on('file', (_name, stream, { filename }) => {
      buffer(stream).then((bytes) => resolve({ filename: filename ?? '', bytes }), reject);
    });
    parser.on('error', reject);
    request.pipe(parser);
  });
}

async function writeBytes(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  await file.write(bytes);
  await file.datasync();
  await file.close();
}

async function readAndIndex(fileId: string, jobId: string, text: string): Promise<void> {
  const metadata = JSON.stringify({ word_count: text.split(/\s+/).length, title: /^# (.*)$/m.exec(text)?.[1] ?? null });
  const passages: string[] = [];
  for (let at = 0; at < text.length; at += PASSAGE_CHARACTERS) passages.push(text.slice(at, at + PASSAGE_CHARACTERS));
  await inTransaction([
    [insertVariants, [tenantId, fileId, ['markdown', 'metadata'], [text, metadata]]],
    [insertPassages, [tenantId, fileId, passages]],
    [completeFile, [tenantId, fileId]],
    [completeJob, [tenantId, jobId]],
  ]);
  await post(fileId);
}

async function post(fileId: string): Promise<void> {
  const id = `evt_${uuidv7()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const body = JSON.stringify({ id, type: 'file.processing.completed', data: { file_id: fileId } });
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const answer = await webhooks.request({ path: target.pathname, method: 'POST', headers, body });
  await answer.body.dump();
}

async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [fileId, jobId] = [uuidv7(), uuidv7()];
  const { filename, bytes } = await readUpload(request);
  await writeBytes(join(folder, fileId), bytes);
  await inTransaction([
    [insertFile, [tenantId, fileId, filename, bytes.length]],
    [insertJob, [tenantId, jobId, fileId]],
  ]);
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: fileId, job_id: jobId, status: 'uploaded' }));
  await readAndIndex(fileId, jobId, bytes.toString());
}

const server = createServer((request, response) => {
  upload(request, response).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
