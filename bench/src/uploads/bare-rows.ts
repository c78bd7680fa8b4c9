// The baseline of registration: a transaction of two inserts.
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

/** The same data in two tables with only primary keys. */
export async function bareRows(databaseUrl: string, connections: number) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  await pool.query('create schema if not exists bare');
  await pool.query(`create table if not exists bare.files (tenant_id uuid, id uuid, job_id uuid, space text, filename text,
    content_type text, size_bytes bigint, sha256 text, status text, metadata jsonb, created_at timestamptz default now(),
    primary key (tenant_id, id))`);
  await pool.query(`create table if not exists bare.jobs (tenant_id uuid, id uuid, file_id uuid, space text, filename text,
    status text, created_at timestamptz default now(), primary key (tenant_id, id))`);
  const tenantId = uuidv7();
  const file = {
    name: 'file',
    text: `insert into bare.files (tenant_id, id, job_id, space, filename, content_type, size_bytes, sha256, status, metadata)
           values ($1, $2, $3, 'default', 'small.txt', 'text/plain', 1024, $4, 'uploaded', '{}')`,
  };
  const job = {
    name: 'job',
    text: `insert into bare.jobs (tenant_id, id, file_id, space, filename, status)
           values ($1, $2, $3, 'default', 'small.txt', 'queued')`,
  };
  const work = async () => {
    const [fileId, jobId] = [uuidv7(), uuidv7()];
    const client = await pool.connect();
    await client.query('begin');
    await client.query({ ...file, values: [tenantId, fileId, jobId, 'a'.repeat(64)] });
    await client.query({ ...job, values: [tenantId, jobId, fileId] });
    await client.query('commit');
    client.release();
  };
  return { work, close: () => pool.end() };
}
