// Real: Postgres, the engine of syncs, Azurite. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { containerSignature, startAzurite, type Azurite } from '@kiln/storage/test-support';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const CONTAINER = 'contracts';
const HOUR_MS = 3_600_000;

describe('a connection by a shared access signature of the container', () => {
  let azurite: Azurite;
  let kiln: SyncsHarness;
  const tenantId = uuidv7();
  beforeAll(async () => {
    azurite = await startAzurite();
    const { url: endpoint, accountName, accountKey } = azurite;
    kiln = await startSyncs({ azureEndpoint: endpoint.replace(accountName, '{account}') });
    const objects = createAzureObjectStore({ endpoint, accountName, accountKey, container: CONTAINER });
    await objects.ensureBucket();
    await objects.put('a b.txt', 'in a b.txt', { contentType: 'text/plain' });
    objects.close();
  });
  afterAll(async () => {
    await kiln.close();
    await azurite.close();
  });

  const tokenFor = (permissions = 'rl', validMs = HOUR_MS) =>
    containerSignature(azurite, CONTAINER, { permissions, expiresOn: new Date(Date.now() + validMs) });
  const connectionBy = (sas_token: string) => ({
    provider: 'container_blob' as const,
    name: 'Contracts',
    bucket: CONTAINER,
    credentials: { account_name: azurite.accountName, sas_token },
  });
  const signatureOf = (token: string) => new URLSearchParams(token).get('sig') ?? '';

  it('is verified and synced, and its objects are opened for processing', async () => {
    const { id, verified } = await kiln.verify(tenantId, connectionBy(`?${tokenFor()}`));
    expect(verified).toBe(true);
    const connectionId = await kiln.connect(tenantId, connectionBy(tokenFor()));
    expect((await kiln.sync(tenantId, connectionId)).row).toMatchObject({ status: 'completed', files_added: 1 });
    const place = { connection_id: id, path: 'a b.txt', filename: 'a b.txt' };
    const { object } = await kiln.openObjects.open({ ...place, claimed_type: null }, contextOf(tenantId));
    expect(object).toMatchObject({ content_type: 'text/plain', size_bytes: 10, url_holds_credentials: true });
    const { statusCode, body } = await request(object?.url ?? '');
    expect([statusCode, await body.text()]).toStrictEqual([200, 'in a b.txt']);
  });

  it('gives callers no link to an object and none to upload, and says what would', async () => {
    const connectionId = await kiln.connect(tenantId, connectionBy(tokenFor('racwl')));
    await kiln.sync(tenantId, connectionId);
    const [{ id } = { id: '' }] = await kiln.sql<{ id: string }>(
      'select id from nodes where is_file and connection_id = $1',
      [connectionId],
    );
    const connection_id = encodeId('connection', connectionId);
    const context = contextOf(tenantId);
    for (const link of [
      () => kiln.manageNodes.download({ id: encodeId('node', id) }, context),
      () => kiln.openObjects.sign({ connection_id, path: 'a b.txt', filename: 'a b.txt' }, context),
      () => kiln.uploadNode.init({ connection_id, path: 'new.txt', node_id: encodeId('node', uuidv7()) }, context),
    ])
      await expect(link()).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(
          /Connect with an application in Microsoft Entra ID, or with a key of the account/,
        ),
      });
  });

  it.each([
    ['has expired', () => tokenFor('rl', -HOUR_MS)],
    ['is of another container', () => containerSignature(azurite, 'others', { permissions: 'rl', expiresOn: later() })],
    ['was changed', () => tokenFor('rl').replace(/sp=rl/, 'sp=racwl')],
  ])('is refused with a reason that does not contain the signature, when it %s', async (_, make) => {
    const token = make();
    const verifying = kiln.verify(tenantId, connectionBy(token));
    await expect(verifying).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/The provider refused the credentials/),
    });
    for (const secret of [signatureOf(token), encodeURIComponent(signatureOf(token))])
      await expect(verifying).rejects.toMatchObject({ message: expect.not.stringContaining(secret) });
  });

  it('does not list the other containers of the account', async () => {
    const { provider, credentials } = connectionBy(tokenFor());
    const listing = kiln.browse.listBuckets(
      { provider, credentials, org_id: kiln.organizationId },
      contextOf(tenantId),
    );
    await expect(listing).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  const later = () => new Date(Date.now() + HOUR_MS);
});
