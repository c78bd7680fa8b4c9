// The baseline: Express and pg in one process with one prepared statement, without keys, limits, logs or bus. argv: database URL,
// tenant. The path contains the file's uuid. Prints its port.
import express, { type Request, type Response } from 'express';
import pg from 'pg';

const [databaseUrl, tenantId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const statement = {
  name: 'bare',
  text: `select f.id, s.name as space, filename, content_type, size_bytes, status, job_id, metadata, f.created_at, updated_at
         from files.files f join files.spaces s on s.tenant_id = f.tenant_id and s.id = f.space_id
         where f.tenant_id = $1 and f.id = $2`,
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
