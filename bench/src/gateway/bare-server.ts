// The baseline: Express and pg, one process, one prepared statement; no key, no limit, no log, no bus. argv: database URL,
// tenant. The path carries the file's uuid. Prints its port.
import express, { type Request, type Response } from 'express';
import pg from 'pg';

const [databaseUrl, tenantId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const statement = {
  name: 'bare',
  text: `select id, space, filename, content_type, size_bytes, status, job_id, metadata, created_at, updated_at
         from files.files where tenant_id = $1 and id = $2`,
};

const app = express();
app.disable('x-powered-by');
app.disable('etag');
async function getFile(request: Request<{ id: string }>, response: Response): Promise<void> {
  const { rows } = await pool.query({ ...statement, values: [tenantId, request.params.id] });
  response.json({ ...rows[0], variants: [] });
}

app.get('/v1/files/:id', getFile);
const server = app.listen(0, '127.0.0.1', (error) => {
  const address = server.address();
  if (error || typeof address !== 'object' || !address) throw error ?? new Error('no address');
  console.log(address.port);
});
