// Real: Postgres, the engine of syncs, the SDKs of AWS and Azure. Faked: the stores, which answer as the documentation of the providers says.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import {
  azureShape,
  connectionTo,
  s3Shape,
  startScriptedStore,
  type ListingShape,
  type ScriptedObject,
  type ScriptedStore,
} from '../test/scripted-store.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const errorOf = (code: string, more = '') =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message>${more}</Error>`;
const classOf = (name: string) => `<StorageClass>${name}</StorageClass>`;
const restored = (until: string) =>
  `<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress><RestoreExpiryDate>${until}</RestoreExpiryDate></RestoreStatus>`;

interface Archive {
  shape: ListingShape;
  objects: ScriptedObject[];
  archived: Record<string, string>;
  /** The answer to a request for the bytes of an archived object. */
  refusal: { status: number; text: string; code: string };
}

const archives: Record<string, Archive> = {
  'Amazon S3': {
    shape: { ...s3Shape, provider: 's3' },
    objects: [
      { key: 'a-deep', archive: classOf('DEEP_ARCHIVE') },
      { key: 'b-glacier', archive: classOf('GLACIER') },
      { key: 'c-instant', archive: classOf('GLACIER_IR') },
      { key: 'd-expired', archive: classOf('GLACIER') + restored('2020-01-01T00:00:00Z') },
      { key: 'e-restored', archive: classOf('GLACIER') + restored('2990-01-01T00:00:00Z') },
      { key: 'f-standard', archive: classOf('STANDARD') },
    ],
    archived: { 'a-deep': 'DEEP_ARCHIVE', 'b-glacier': 'GLACIER', 'd-expired': 'GLACIER' },
    refusal: { status: 403, text: errorOf('InvalidObjectState', classOf('GLACIER')), code: 'GLACIER' },
  },
  'Azure Blob Storage': {
    shape: azureShape,
    objects: [
      { key: 'a-archive', archive: '<AccessTier>Archive</AccessTier>' },
      { key: 'b-cool', archive: '<AccessTier>Cool</AccessTier>' },
    ],
    archived: { 'a-archive': 'Archive' },
    refusal: { status: 409, text: errorOf('BlobArchived'), code: 'Archive' },
  },
};

describe.each(Object.entries(archives))('an archived object at %s', (_, { shape, objects, archived, refusal }) => {
  let kiln: SyncsHarness;
  let store: ScriptedStore;
  const tenantId = uuidv7();
  let connectionId: string;
  // oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
  const { env } = process;
  beforeAll(async () => {
    store = await startScriptedStore();
    if (shape.provider === 's3') env['AWS_ENDPOINT_URL_S3'] = store.url;
    kiln = await startSyncs({ azureEndpoint: `${store.url}/{account}` });
    const { credentials, ...connection } = connectionTo(shape, store.url);
    const { endpoint, ...keys } = credentials;
    expect(endpoint === undefined).toBe(shape.provider !== 's3');
    connectionId = await kiln.connect(tenantId, { ...connection, region: 'us-east-1', credentials: keys });
  });
  afterAll(async () => {
    delete env['AWS_ENDPOINT_URL_S3'];
    await kiln.close();
    await store.close();
  });

  const list = (listed: readonly ScriptedObject[]) => {
    store.answer = (response) =>
      void response.setHeader('content-type', 'application/xml').end(shape.page({ objects: listed }));
  };
  const refuse = () => {
    store.answer = (response, { method }) => {
      response.writeHead(refusal.status, { 'content-type': 'application/xml' });
      response.end(method === 'HEAD' ? '' : refusal.text);
    };
  };
  const connection_id = () => encodeId('connection', connectionId);
  const context = () => contextOf(tenantId);
  const nodes = async () =>
    (await kiln.manageNodes.list({ connection_id: connection_id(), limit: 50 }, context())).nodes;

  it('is a node with its class, counts as skipped, and is not given to the files service', async () => {
    list(objects);
    const { row } = await kiln.sync(tenantId, connectionId);
    const counts = [row?.files_added, row?.skipped];
    expect(counts).toStrictEqual([objects.length, Object.keys(archived).length]);
    const found = Object.fromEntries((await nodes()).map(({ path, archived_in }) => [path, archived_in]));
    expect(found).toStrictEqual(Object.fromEntries(objects.map(({ key }) => [key, archived[key] ?? null])));
    const input = { connection_id: connection_id(), after: null, limit: 50 };
    const files = await kiln.openObjects.listFileNodes(input, context());
    const readable = objects.map(({ key }) => key).filter((key) => !(key in archived));
    expect(files.nodes.map(({ path }) => path).toSorted()).toStrictEqual(readable);
    const node = (await nodes()).find(({ path }) => path in archived);
    await expect(kiln.manageNodes.download({ id: node?.id ?? '' }, context())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/archived .*Restore/),
    });
  });

  it('is given to the files service once it is restored', async () => {
    list(objects.map(({ key }) => ({ key })));
    await kiln.sync(tenantId, connectionId);
    const input = { connection_id: connection_id(), after: null, limit: 50 };
    const files = await kiln.openObjects.listFileNodes(input, context());
    expect(files.nodes).toHaveLength(objects.length);
  });

  it('that is opened is a fault of its own, not refused credentials', async () => {
    refuse();
    const input = { connection_id: connection_id(), path: 'a', filename: 'a', claimed_type: null };
    expect(await kiln.openObjects.open(input, context())).toStrictEqual({
      object: null,
      fault: { code: 'object_archived', message: expect.stringContaining(refusal.code) },
    });
  });
});

it('refused credentials are a fault that names them, when the files service opens an object', async () => {
  const store = await startScriptedStore();
  const kiln = await startSyncs();
  store.answer = (response) => void response.writeHead(403).end(errorOf('InvalidAccessKeyId'));
  const tenantId = uuidv7();
  const connectionId = await kiln.connect(tenantId, connectionTo(s3Shape, store.url));
  const object = { path: 'a', filename: 'a', claimed_type: null };
  const input = { connection_id: encodeId('connection', connectionId), ...object };
  expect((await kiln.openObjects.open(input, contextOf(tenantId))).fault?.code).toBe('access_denied');
  await kiln.close();
  await store.close();
});
