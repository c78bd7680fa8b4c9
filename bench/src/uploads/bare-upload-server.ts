// The baselines: one process without keys, limits or bus. argv: database URL, folder. Prints its port.
// PUT /large writes its body to disk. POST /small does a small upload with Express, pg and a disk: it writes a synced file, inserts
// the rows of file and job in a transaction, and responds. POST /small-unsynced does not sync the file, which a power failure may
// lose.
import express, { type Request, type Response } from 'express';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

const [databaseUrl, folder = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
await mkdir(folder, { recursive: true });
await pool.query(`create schema if not exists bare`);
await pool.query(`create table if not exists bare.files (tenant_id uuid, id uuid, filename text, size_bytes bigint,
  content_type text, status text, metadata jsonb, created_at timestamptz default now(), primary key (tenant_id, id))`);
await pool.query(`create table if not exists bare.jobs (tenant_id uuid, id uuid, file_id uuid, status text,
  created_at timestamptz default now(), primary key (tenant_id, id))`);

const tenantId = uuidv7();
const insertFile = {
  name: 'file',
  text: `insert into bare.files (tenant_id, id, filename, size_bytes, content_type, status, metadata)
         values ($1, $2, $3, $4, 'text/plain', 'uploaded', '{}')`,
};
const insertJob = {
  name: 'job',
  text: `insert into bare.jobs (tenant_id, id, file_id, status) values ($1, $2, $3, 'queued')`,
};

async function putLarge(request: Request, response: Response): Promise<void> {
  const path = join(folder, 'large');
  await pipeline(request, createWriteStream(path));
  response.json({ stored: true });
  await rm(path);
}

/** Writes the file atomically and synced. */
async function writeSynced(path: string, body: Buffer): Promise<void> {
  const file = await open(`${path}.tmp`, 'wx');
  await file.write(body);
  await file.datasync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}

const postSmall = (write: typeof writeSynced) => async (request: Request, response: Response) => {
  const [fileId, jobId] = [uuidv7(), uuidv7()];
  const body = request.body as Buffer;
  await write(join(folder, fileId), body);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({ ...insertFile, values: [tenantId, fileId, 'small.txt', body.length] });
    await client.query({ ...insertJob, values: [tenantId, jobId, fileId] });
    await client.query('commit');
  } finally {
    client.release();
  }
  response.status(201).json({ id: fileId, job_id: jobId, status: 'uploaded' });
};

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.put('/large', putLarge);
const raw = express.raw({ type: () => true, limit: '1mb' });
app.post('/small', raw, postSmall(writeSynced));
app.post(
  '/small-unsynced',
  raw,
  postSmall((path, body) => writeFile(path, body)),
);
const server = app.listen(0, '127.0.0.1', (error) => {
  const address = server.address();
  if (error || typeof address !== 'object' || !address) throw error ?? new Error('no address');
  console.log(address.port);
});
