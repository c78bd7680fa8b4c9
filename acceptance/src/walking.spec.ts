// The main road, as the README's quick start walks it.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pdfOf } from './support/documents.js';
import type { CreatedFile, KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TIDES = '# Tides\n\nThe wombatfish swims at night.\n';
const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a file', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = `walking-${randomUUID()}`;

  before(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  after(() => system.stop());

  it('uploaded as multipart becomes markdown and is found by search the moment its job is completed', async () => {
    const word = `quokka${randomUUID().slice(0, 8)}`;
    const pdf = await pdfOf(
      'Annual report of the harbour authority.',
      `The ${word} was seen near the lighthouse.`,
      'The end.',
    );
    const created = await client.upload('report.pdf', pdf, { space, metadata: '{"department":"harbour"}' });
    assert.equal(created.status, 201);
    const { id, job_id: jobId, ...rest } = created.body;
    assert.deepEqual(rest, {
      space,
      filename: 'report.pdf',
      content_type: 'application/pdf',
      size_bytes: pdf.length,
      sha256: sha256Of(pdf),
      storage_key: `${space}/${id}/report.pdf`,
      status: 'uploaded',
    });
    assert.equal((await client.get(`/v1/jobs/${jobId}`)).status, 200, 'the job is readable at once');

    const job = await client.waitForJob(jobId);
    assert.deepEqual([job.status, job.error, job.provider, job.file_id], ['completed', null, 'document_extractor', id]);
    const found = await client.search(word, { space });
    assert.equal(found.mode, 'text');
    assert.equal(found.total, 1);
    assert.equal(found.results[0]?.file_id, id);
    assert.match(found.results[0]?.snippet ?? '', new RegExp(`<mark>${word}</mark>`, 'i'));
    assert.match(await client.markdown(id), new RegExp(word));

    const file = await client.get<CreatedFile & { variants: { type: string }[] }>(`/v1/files/${id}`);
    assert.equal(file.body.status, 'completed');
    assert.deepEqual(file.body.variants.map((variant) => variant.type).sort(), [
      'markdown',
      'metadata',
      'searchable-index',
    ]);
  });

  it('announced by JSON and PUT to the signed URL takes the same road by itself', async () => {
    const created = await client.post<CreatedFile & { expires_in: number; upload_method: string }>('/v1/upload', {
      filename: 'notes.md',
      space,
    });
    assert.equal(created.status, 201);
    assert.deepEqual(
      [created.body.status, created.body.upload_method, created.body.expires_in],
      ['uploading', 'PUT', 3600],
    );
    assert.equal((await client.get<CreatedFile>(`/v1/files/${created.body.id}`)).body.sha256, null);
    const waiting = await client.get<{ status: string }>(`/v1/jobs/${created.body.job_id}`);
    assert.equal(waiting.body.status, 'queued');

    const put = await fetch(created.body.upload_url, {
      method: 'PUT',
      body: TIDES,
    });
    assert.equal(put.status, 200);
    assert.equal((await client.waitForJob(created.body.job_id)).status, 'completed');
    const { body: file } = await client.get<CreatedFile>(`/v1/files/${created.body.id}`);
    assert.deepEqual([file.content_type, file.size_bytes, file.sha256], ['text/markdown', 40, sha256Of(TIDES)]);
    assert.equal((await client.search('wombatfish', { space })).results[0]?.file_id, created.body.id);
  });

  it('with skip_processing is stored without a job', async () => {
    const created = await client.upload('later.txt', 'for later', { space, skip_processing: 'true' });
    assert.deepEqual([created.status, created.body.status, created.body.job_id], [201, 'uploaded', null]);
  });

  it('is listed with its space, newest first, page by page without gaps or repeats', async () => {
    const own = `list-${randomUUID()}`;
    const names = Array.from({ length: 7 }, (_, index) => `file-${index}.txt`);
    for (const name of names) await client.upload(name, name, { space: own, skip_processing: 'true' });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ space: own, limit: '3', sort_by: 'filename', sort_order: 'asc' });
      if (cursor) query.set('cursor', cursor);
      const page: { body: { files: CreatedFile[]; next_cursor: string | null } } = await client.get(
        `/v1/files?${query}`,
      );
      seen.push(...page.body.files.map((file) => file.filename));
      cursor = page.body.next_cursor;
    } while (cursor);
    assert.deepEqual(seen, names);
  });

  it('of every type of the first set is read: docx through csv', async () => {
    const documents: [string, string, RegExp][] = [
      ['table.csv', 'name;count\nzebrafinch;3\n', /\| zebrafinch \| 3 \|/],
      [
        'page.html',
        '<h1>Harbour</h1><p>A <b>zebrafinch</b> sang.</p><script>alert(1)</script>',
        /# Harbour[^]*\*\*zebrafinch\*\*/,
      ],
      ['note.txt', '\ufeffA zebrafinch in UTF-8 with a mark', /^A zebrafinch/],
    ];
    for (const [name, content, expected] of documents) {
      const { body } = await client.upload(name, content, { space });
      assert.equal((await client.waitForJob(body.job_id)).status, 'completed', name);
      assert.match(await client.markdown(body.id), expected, name);
    }
  });

  it('keeps a hostile name harmless, and never shows markup from its text in a snippet', async () => {
    const name = `<img src=x onerror=alert(1)> ${'ü'.repeat(20)}.txt`;
    const { status, body } = await client.upload(name, 'The numbat <script>alert(1)</script> sleeps.', { space });
    assert.equal(status, 201);
    assert.equal(body.filename, name);
    await client.waitForJob(body.job_id);
    const { results } = await client.search('numbat', { space });
    assert.doesNotMatch(results[0]?.snippet ?? '', /<script/);
    assert.match(results[0]?.snippet ?? '', /<mark>numbat<\/mark>/);
  });
});
