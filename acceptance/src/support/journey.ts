// A way through all services, with requests that the release before answers too.
import { expect } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { pdfOf } from './documents.js';
import type { Endpoint } from './endpoints.js';
import type { ForeignBucket } from './foreign-bucket.js';
import { bodyOf, type Job, type KilnClient } from './kiln-client.js';

/** Outside of the system. The bucket has one object, `ledger.txt`. */
export interface Surroundings {
  endpoint: Endpoint;
  bucket: ForeignBucket;
}

/** What a journey leaves behind. */
export interface Travelled {
  space: string;
  pdfId: string;
  connectionId: string;
}

/** Uploads, a connection with its sync, webhooks, a search, an answer, a deletion, and the counts of analytics. */
export async function travel(client: KilnClient, space: string, surroundings: Surroundings): Promise<Travelled> {
  const { endpoint, bucket } = surroundings;
  const webhook = bodyOf(
    await client.post<{ id: string }>('/v1/webhooks', { url: endpoint.url, events: ['file.processing.completed'] }),
    201,
  );
  const text = bodyOf(
    await client.upload('keeper.txt', 'The keeper of the lighthouse is called Marten.', { space }),
    201,
  );
  const pdf = bodyOf(
    await client.upload('harbour.pdf', await pdfOf('Ships leave the harbour at noon.'), { space }),
    201,
  );
  await completed(client, [text.job_id, pdf.job_id]);
  expect(await client.markdown(pdf.id)).toContain('Ships leave the harbour at noon.');

  const connectionId = await connect(client, bucket, space);
  const batch = await client.post<{ job_ids: string[] }>('/v1/files/process-batch', { connection_id: connectionId });
  await completed(client, bodyOf(batch, 201).job_ids);

  expect((await client.search('harbour', { space })).total).toBe(1);
  const question = { question: 'Who is the keeper of the lighthouse?', space };
  expect(bodyOf(await client.post<{ answer: string }>('/v1/qa', question), 200).answer).toContain('Marten');
  const sent = () =>
    endpoint.received.map(({ body }) => (JSON.parse(body) as { data: { file_id: string } }).data.file_id);
  await eventually(async () => expect(sent()).toEqual(expect.arrayContaining([text.id, pdf.id])));

  expect((await client.request('DELETE', `/v1/files/${text.id}`)).status).toBeLessThan(300);
  await eventually(async () => expect((await client.search('lighthouse', { space })).total).toBe(0));
  expect((await client.request('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBeLessThan(300);
  await eventually(async () => expect(await countedFiles(client)).toBe(await listedFiles(client)));
  return { space, pdfId: pdf.id, connectionId };
}

/** What an earlier journey has left behind is there, and works. */
export async function revisit(client: KilnClient, { space, pdfId, connectionId }: Travelled): Promise<void> {
  expect(await client.markdown(pdfId)).toContain('Ships leave the harbour at noon.');
  expect((await client.search('harbour', { space })).total).toBe(1);
  const again = await client.post<{ job_id: string }>(`/v1/files/${pdfId}/process`, {});
  await completed(client, [bodyOf(again, 201).job_id]);
  expect(await syncOf(client, connectionId)).toBe('completed');
}

async function connect(client: KilnClient, bucket: ForeignBucket, space: string): Promise<string> {
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key, endpoint } = bucket;
  const asked = {
    provider: 'selfhost_s3',
    name: `Documents of ${space}`,
    bucket: bucket.bucket,
    credentials: { access_key_id, secret_access_key, endpoint },
  };
  const { id } = bodyOf(await client.post<{ id: string }>('/v1/connections/verify', asked), 201);
  expect(await syncOf(client, id)).toBe('completed');
  return id;
}

async function syncOf(client: KilnClient, connectionId: string): Promise<string> {
  const ended = await client.post<{ status: string }>(`/v1/connections/${connectionId}/sync`, undefined);
  return bodyOf(ended, 200).status;
}

async function completed(client: KilnClient, jobIds: readonly string[]): Promise<void> {
  const jobs: Job[] = await Promise.all(jobIds.map((id) => client.waitForJob(id)));
  expect(jobs.map(({ status, error }) => ({ status, error }))).toStrictEqual(
    jobIds.map(() => ({ status: 'completed', error: null })),
  );
}

async function countedFiles(client: KilnClient): Promise<number> {
  return (await client.get<{ total_files: number }>('/v1/analytics/overview')).body.total_files;
}

async function listedFiles(client: KilnClient): Promise<number> {
  return (await client.get<{ files: unknown[] }>('/v1/files?limit=100')).body.files.length;
}
