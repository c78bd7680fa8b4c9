// The main path, as in the README's quick start.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { pdfOf } from './support/documents.js';
import type { CreatedFile, KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TIDES = '# Tides\n\nThe wombatfish swims at night.\n';
const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a file', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = `walking-${randomUUID()}`;

  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  it('uploaded as multipart becomes markdown, and search finds it as soon as its job is completed', async () => {
    const word = `quokka${randomUUID().slice(0, 8)}`;
    const pdf = await pdfOf(
      'Annual report of the harbour authority.',
      `The ${word} was seen near the lighthouse.`,
      'The end.',
    );
    const created = await client.upload('report.pdf', pdf, { space, metadata: '{"department":"harbour"}' });
    expect(created.status).toBe(201);
    const { id, job_id: jobId, ...rest } = created.body;
    expect(rest).toStrictEqual({
      space,
      filename: 'report.pdf',
      content_type: 'application/pdf',
      size_bytes: pdf.length,
      sha256: sha256Of(pdf),
      storage_key: `${space}/${id}/report.pdf`,
      status: 'uploaded',
      external_id: null,
    });
    // The job can be read at once.
    expect((await client.get(`/v1/jobs/${jobId}`)).status).toBe(200);

    const job = await client.waitForJob(jobId);
    expect([job.status, job.error, job.provider, job.file_id]).toStrictEqual([
      'completed',
      null,
      'document_extractor',
      id,
    ]);
    const found = await client.search(word, { space });
    expect(found.mode).toBe('text');
    expect(found.total).toBe(1);
    expect(found.results[0]?.file_id).toBe(id);
    expect(found.results[0]?.snippet ?? '').toMatch(new RegExp(`<mark>${word}</mark>`, 'i'));
    expect(await client.markdown(id)).toMatch(new RegExp(word));

    const file = await client.get<CreatedFile & { variants: { type: string }[] }>(`/v1/files/${id}`);
    expect(file.body.status).toBe('completed');
    expect(file.body.variants.map((variant) => variant.type).sort()).toStrictEqual([
      'markdown',
      'metadata',
      'searchable-index',
    ]);
  });

  it('announced by JSON and PUT to the signed URL is processed without further requests', async () => {
    const created = await client.post<CreatedFile & { expires_in: number; upload_method: string }>('/v1/upload', {
      filename: 'notes.md',
      space,
    });
    expect(created.status).toBe(201);
    expect([created.body.status, created.body.upload_method, created.body.expires_in]).toStrictEqual([
      'uploading',
      'PUT',
      3600,
    ]);
    expect((await client.get<CreatedFile>(`/v1/files/${created.body.id}`)).body.sha256).toBeNull();
    const waiting = await client.get<{ status: string }>(`/v1/jobs/${created.body.job_id}`);
    expect(waiting.body.status).toBe('queued');

    const put = await fetch(created.body.upload_url, {
      method: 'PUT',
      body: TIDES,
    });
    expect(put.status).toBe(200);
    expect((await client.waitForJob(created.body.job_id)).status).toBe('completed');
    const { body: file } = await client.get<CreatedFile>(`/v1/files/${created.body.id}`);
    expect([file.content_type, file.size_bytes, file.sha256]).toStrictEqual(['text/markdown', 40, sha256Of(TIDES)]);
    expect((await client.search('wombatfish', { space })).results[0]?.file_id).toBe(created.body.id);
  });

  it('with skip_processing is stored without a job', async () => {
    const created = await client.upload('later.txt', 'for later', { space, skip_processing: 'true' });
    expect([created.status, created.body.status, created.body.job_id]).toStrictEqual([201, 'uploaded', null]);
  });

  it('is listed in its space, newest first, page by page without gaps or duplicates', async () => {
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
    expect(seen).toStrictEqual(names);
  });

  it.each<[filename: string, content: string, markdown: RegExp]>([
    ['table.csv', 'name;count\nzebrafinch;3\n', /\| zebrafinch \| 3 \|/],
    [
      'page.html',
      '<h1>Harbour</h1><p>A <b>zebrafinch</b> sang.</p><script>alert(1)</script>',
      /# Harbour[^]*\*\*zebrafinch\*\*/,
    ],
    ['note.txt', '\ufeffA zebrafinch in UTF-8 with a mark', /^A zebrafinch/],
  ])('of a built-in type is extracted: %s', async (filename, content, markdown) => {
    const { body } = await client.upload(filename, content, { space });
    expect((await client.waitForJob(body.job_id)).status).toBe('completed');
    expect(await client.markdown(body.id)).toMatch(markdown);
  });

  it('with a hostile name is harmless, and its snippets contain no markup from its text', async () => {
    const name = `<img src=x onerror=alert(1)> ${'ü'.repeat(20)}.txt`;
    const { status, body } = await client.upload(name, 'The numbat <script>alert(1)</script> sleeps.', { space });
    expect(status).toBe(201);
    expect(body.filename).toBe(name);
    await client.waitForJob(body.job_id);
    const { results } = await client.search('numbat', { space });
    expect(results[0]?.snippet ?? '').not.toMatch(/<script/);
    expect(results[0]?.snippet ?? '').toMatch(/<mark>numbat<\/mark>/);
  });
});
