// A bucket of Google that is connected without a key. Real: Postgres, the whole way from the request to the bucket. Written from Google's
// documentation: the exchange of tokens, which checks Kiln's with the uploaded keys, the API of service accounts, and Cloud Storage.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { OidcIssuer } from '../external-buckets/oidc-issuer.service.js';
import { contextOf } from '../test/connections-harness.js';
import { ISSUER_URL, newSigningKey, startPooledBucket, type PooledBucket } from '../test/identity-pool.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const BUCKET = 'acme-documents';
const SECRET = /eyJ[\w-]+\.|ya29\.|federated\.|PRIVATE KEY/;

describe('a bucket of Google, connected by workload identity federation,', () => {
  const tenantId = uuidv7();
  let pooled: PooledBucket;
  let kiln: SyncsHarness;
  beforeEach(async () => {
    pooled = await startPooledBucket(BUCKET, []);
    kiln = await startSyncs(pooled.options);
    pooled.identity.pool.impersonators.push(kiln.organizationId);
    const { url: endpoint, credentialsJson } = pooled.google;
    const objects = createGcsObjectStore({ endpoint, bucket: BUCKET, credentialsJson });
    for (const key of ['a.txt', 'docs/b.txt']) await objects.put(key, `in ${key}`, { contentType: 'text/plain' });
    objects.close();
  });
  afterEach(async () => {
    await kiln.close();
    await pooled.close();
  });

  const connection = () => ({
    provider: 'gcs' as const,
    name: 'Google',
    bucket: BUCKET,
    credentials: pooled.configuration,
  });
  const storedRow = async () => {
    const [{ id } = { id: '' }] = await kiln.sql<{ id: string }>('select id from connections');
    const row = await kiln.connections.find(tenantId, id);
    if (!row) throw new Error('no connection');
    return row;
  };
  const refusal = async (change: object = {}): Promise<string> => {
    const failed = kiln.verify(tenantId, { ...connection(), ...change }).then(
      () => 'verified',
      (error: Error) => {
        expect(inspect(error, { depth: 20 })).not.toMatch(SECRET);
        return error.message;
      },
    );
    return failed;
  };

  it('is verified, listed, read by a signed URL and synced, and signs in once', async () => {
    const { id, verified, auth_type } = await kiln.verify(tenantId, connection());
    expect([verified, auth_type]).toStrictEqual([true, 'service_account']);
    const context = contextOf(tenantId);
    const { objects } = await kiln.browse.browse({ id, limit: 10 }, context);
    expect(objects.map(({ key }) => key)).toStrictEqual(['a.txt', 'docs/b.txt']);
    const { connections } = await kiln.manage.list({ limit: 10 }, context);
    expect(connections.map((each) => each.id)).toStrictEqual([id]);
    const row = await storedRow();
    const { row: sync } = await kiln.sync(tenantId, row.id);
    expect(sync).toMatchObject({ status: 'completed', files_added: 2 });
    const url = await kiln.buckets.use(
      row,
      { requestTimeoutMs: 30_000 },
      async (bucket) => (await bucket.signedGet('a.txt', { seconds: 60 })).url,
    );
    expect(await (await request(url)).body.text()).toBe('in a.txt');
    expect(pooled.identity.calls).toMatchObject({ token: 1, generateAccessToken: 1 });
  });

  it('fails without a token in its errors and in everything attached to them', async () => {
    await kiln.verify(tenantId, connection());
    const row = await storedRow();
    const bucket = await kiln.buckets.open(row, { requestTimeoutMs: 30_000 }, 'no-such-bucket');
    const error = await bucket.list({ prefix: '', limit: 1 }).catch((thrown: unknown) => thrown);
    bucket.close();
    expect(error).toMatchObject({ code: 'bucket_not_found' });
    expect(inspect(error, { depth: 20 })).not.toMatch(SECRET);
  });

  it('lists the buckets of the project in the address of the service account', async () => {
    const input = { provider: 'gcs' as const, org_id: kiln.organizationId, credentials: pooled.configuration };
    const { buckets } = await kiln.browse.listBuckets(input, contextOf(tenantId));
    expect(buckets.map(({ name }) => name)).toStrictEqual([BUCKET]);
  });

  it('is sealed for the organization of the call, whatever subject the caller writes, without the sources of the file', async () => {
    const credentials = { ...pooled.configuration, subject: 'org_others', sub: 'org_others' };
    await kiln.verify(tenantId, { ...connection(), credentials });
    expect(kiln.buckets.credentialsOf(await storedRow())).toStrictEqual(pooled.sealedFor(kiln.organizationId));
  });

  it('gets a new token when the last one ends soon', async () => {
    pooled.identity.pool.tokenSeconds = 540;
    const { id } = await kiln.verify(tenantId, connection());
    const before = pooled.identity.calls.generateAccessToken;
    await kiln.browse.browse({ id, limit: 10 }, contextOf(tenantId));
    expect(pooled.identity.calls.generateAccessToken).toBeGreaterThan(before);
  });

  it('never reads the file, the program or the URL that the configuration names', async () => {
    const asked: (string | undefined)[] = [];
    const trap = createServer((given, response) => {
      asked.push(given.url);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
    for (const credential_source of [
      { url: `${url}/token` },
      { file: '/nonexistent' },
      { executable: { command: 'false' } },
    ]) {
      const credentials = { ...pooled.configuration, credential_source, token_url: `${url}/sts`, token_info_url: url };
      expect(await refusal({ credentials })).toBe('verified');
    }
    expect(asked).toStrictEqual([]);
    trap.close();
  });

  it('is refused to another organization, by the role on the service account or by the condition of the provider', async () => {
    pooled.identity.pool.impersonators.splice(0, 1, 'org_others');
    expect(await refusal()).toMatch(
      /refused the credentials: Permission 'iam\.serviceAccounts\.getAccessToken' denied/,
    );
    pooled.identity.pool.condition = (subject) => subject === 'org_others';
    expect(await refusal()).toMatch(
      /refused the credentials: The given credential is rejected by the attribute condition/,
    );
  });

  it('is refused with the reason of Google: a pool that is missing, another issuer, other keys, no right to sign', async () => {
    const { identity, configuration } = pooled;
    const audience = String(configuration['audience']).replace('kiln-pool', 'other-pool');
    expect(await refusal({ credentials: { ...configuration, audience } })).toMatch(
      /The target service indicated by the "audience"/,
    );
    identity.pool.issuer = 'https://other.example';
    expect(await refusal()).toMatch(/The issuer in ID Token https:\/\/kiln\.example does not match/);
    identity.pool.issuer = ISSUER_URL;
    const { jwks } = identity.pool;
    identity.pool.jwks = await new OidcIssuer({ issuer: ISSUER_URL, key: newSigningKey() }).keySet();
    expect(await refusal()).toMatch(/given credential's issuer: \[redacted\]$/);
    identity.pool.jwks = jwks;
    identity.pool.maySign = false;
    expect(await refusal()).toMatch(/refused the credentials: .*Permission 'iam\.serviceAccounts\.signBlob' denied/);
  });
});

it('workload identity federation is refused while the operator has configured no issuer', async () => {
  const pooled = await startPooledBucket(BUCKET, []);
  const kiln = await startSyncs({ gcsEndpoint: pooled.google.url });
  const { configuration: credentials } = pooled;
  const connection = { provider: 'gcs' as const, name: 'Google', bucket: BUCKET, credentials };
  const tenantId = uuidv7();
  const refused = { code: 'BAD_REQUEST', message: expect.stringMatching(/KILN_CONNECTIONS_OIDC_ISSUER/) };
  await expect(kiln.verify(tenantId, connection)).rejects.toMatchObject(refused);
  await expect(kiln.create(tenantId, connection)).rejects.toMatchObject(refused);
  const input = { provider: 'gcs' as const, org_id: kiln.organizationId, credentials };
  await expect(kiln.browse.listBuckets(input, contextOf(tenantId))).rejects.toMatchObject(refused);
  expect(pooled.identity.calls.token).toBe(0);
  await kiln.close();
  await pooled.close();
});
