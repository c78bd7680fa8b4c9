// What the commands of connections print and send.
import { expect, it } from '@jest/globals';
import { problem } from '@kiln/sdk/testing';
import { runKiln } from '../../fixtures/run-kiln.js';

const ID = 'conn_01h455vb4pex5vsknk084sn02q';
const SECRET = 'a-secret';
const connection = { id: ID, name: 'acme', provider: 'b2', bucket: 'acme', status: 'active', error: null };
const sync = {
  id: 'sync_1',
  synced_count: 3,
  files_added: 2,
  files_updated: 1,
  files_deleted: 0,
  skipped: 0,
  error: null,
};

it('add without a bucket shows the steps and creates nothing', async () => {
  const instructions = { steps: ['Create a key.', 'Send it.'], required_fields: ['access_key_id'] };
  const { err, out, exit } = await runKiln(['connections', 'add', 'b2'], {
    handlers: { 'POST /v1/connections/start': () => ({ provider: 'b2', auth_type: 'access_key', instructions }) },
  });
  expect([exit, out]).toStrictEqual([0, '']);
  expect(err).toBe('1. Create a key.\n2. Send it.\nFields of the credentials: access_key_id\n');
});

it('add reads credentials from a pipe, and repeats them nowhere', async () => {
  const words = ['connections', 'add', 'b2', '--bucket', 'acme', '--fields', 'id,status'];
  const handlers = { 'POST /v1/connections/verify': () => connection };
  const input = JSON.stringify({ access_key_id: 'x', secret_access_key: SECRET });
  const added = await runKiln(words, { handlers, input });
  expect(added.out).toBe(`id\t${ID}\nstatus\tactive\n`);
  expect(added.requests[0]?.body).toStrictEqual({
    provider: 'b2',
    name: 'acme',
    bucket: 'acme',
    credentials: { access_key_id: 'x', secret_access_key: SECRET },
  });
  const broken = await runKiln(words, { handlers, input: `${SECRET}{` });
  expect([broken.exit, broken.requests]).toStrictEqual([2, []]);
  expect(broken.err).not.toContain(SECRET);
});

it('sync waits for the end, and ends by the outcome', async () => {
  let status = 'syncing';
  const handlers = {
    'POST /v1/connections/:id/sync': () => ({ ...sync, status }),
    'GET /v1/connections/:id/sync/progress': () => ({ status, synced: 1, total: 3, percent: 33, eta_seconds: 2 }),
    'GET /v1/connections/:id/sync/history': () => ({ syncs: [{ ...sync, status: 'completed' }], next_cursor: null }),
  };
  const words = ['connections', 'sync', ID, '--fields', 'status,files_added'];
  expect(await runKiln(words, { handlers })).toMatchObject({ exit: 0, out: 'status\tcompleted\nfiles_added\t2\n' });
  status = 'failed';
  expect(await runKiln(words, { handlers })).toMatchObject({ exit: 1, err: 'error: The sync failed\n' });
});

it('sync ends with the error of the server', async () => {
  const handlers = { 'POST /v1/connections/:id/sync': () => problem(409, 'CONFLICT') };
  expect((await runKiln(['connections', 'sync', ID], { handlers })).exit).toBe(1);
});
