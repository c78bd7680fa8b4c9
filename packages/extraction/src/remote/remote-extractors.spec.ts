// Real: HTTP on loopback, files on disk. The server reads what it is sent, and answers as docling-serve and OpenAI do.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import type { Extractor } from '@kiln/readers/extractor';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { liveHtml, renderMarkdown } from '@kiln/readers/fixtures/render-markdown';
import { defaultLimits } from '@kiln/readers/limits';
import { AnswerReader } from './answer-reader.js';
import { DoclingExtractor } from './docling-extractor.js';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { TranscriptionExtractor } from './transcription-extractor.js';

const DEADLINE_MS = 60_000;

describe('remote extraction', () => {
  let server: ProviderServer;
  const http = new ProviderHttp();
  let scratch: Scratch;
  beforeAll(async () => {
    server = await startProviderServer();
    scratch = await Scratch.make();
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await http.close();
    await server.close();
    await scratch.remove();
  });

  const docling = (options: { deadlineMs?: number; outputBytesMax?: number } = {}) =>
    new DoclingExtractor({
      endpoint: providerEndpoint('document_extractor', { baseUrl: server.url, key: 'secret' }),
      http,
      sandbox: new AnswerReader(defaultLimits.outputBytesMax),
      deadlineMs: DEADLINE_MS,
      ...options,
    });
  const speech = (model = 'whisper-1') =>
    new TranscriptionExtractor({
      endpoint: providerEndpoint('audio_extractor', { baseUrl: `${server.url}/v1`, key: 'secret' }),
      http,
      sandbox: new AnswerReader(defaultLimits.outputBytesMax),
      deadlineMs: DEADLINE_MS,
      model,
    });
  const extracted = (
    extractor: Extractor,
    content: Buffer | string,
    filename = 'report.pdf',
    contentType = 'application/pdf',
  ) => scratch.run(extractor, filename, contentType, content);
  const failure = (...given: Parameters<typeof extracted>) =>
    extracted(...given).then(
      () => {
        throw new Error('it did not fail');
      },
      (error: Record<string, unknown>) => error,
    );

  it('returns a document as markdown with its pages and metadata', async () => {
    const text =
      '# Kilns\n\nThe first page tells how clay is fired.\fThe second page tells the temperature.\f\fThe last one.';
    const { markdown, pages, pageCount, metadata, markdownBytes } = await extracted(docling(), text);
    expect(pageCount).toBe(4);
    expect(pages?.map(({ page, start, end }) => [page, markdown.slice(start, end)])).toStrictEqual([
      [1, '# Kilns\n\nThe first page tells how clay is fired.'],
      [2, 'The second page tells the temperature.'],
      [3, ''],
      [4, 'The last one.'],
    ]);
    expect(markdownBytes).toBe(Buffer.byteLength(markdown));
    expect([metadata.title, metadata.page_count, metadata.language]).toStrictEqual(['Kilns', 4, 'en']);
    expect(markdown).not.toMatch(/kiln-page/);
  });

  it('says in the metadata that a server has read only a part of the document', async () => {
    const answer = (status: string) => misbehaviour.json({ document: { md_content: 'The first page.' }, status });
    server.next(answer('partial_success'), answer('success'));
    const part = await extracted(docling(), 'x');
    expect([part.markdown, part.metadata['is_partial']]).toStrictEqual(['The first page.\n', true]);
    expect((await extracted(docling(), 'x')).metadata).not.toHaveProperty('is_partial');
  });

  it('sends the key as docling-serve expects it, and the type but not the name of the file', async () => {
    await extracted(docling(), 'x', 'Dismissal of J. Doe.pdf');
    const [asked] = server.requests;
    expect(asked?.headers['x-api-key']).toBe('secret');
    expect(Number(asked?.headers['content-length'])).toBe(asked?.body.length);
    expect(asked?.body.toString()).toMatch(/filename="source\.pdf"\r\nContent-Type: application\/pdf\r\n/);
    expect(asked?.body.toString()).not.toMatch(/Dismissal/);
  });

  it('streams a large file unchanged, and sends its length first', async () => {
    const content = randomBytes(8 * 1_048_576);
    let received = 0;
    server.next((response, request) => {
      received = request.body.length;
      return misbehaviour.json({ document: { md_content: 'ok' }, status: 'success' })(response, request);
    });
    await extracted(docling(), content);
    expect(received).toBeGreaterThan(content.length);
    // All of it, in one piece.
    expect(server.requests[0]?.body.includes(content)).toBeTruthy();
  });

  it('treats an image as one page, and a text without page breaks as none', async () => {
    expect((await extracted(docling(), 'A sign.', 'a.png', 'image/png')).pages).toStrictEqual([
      { page: 1, start: 0, end: 7 },
    ]);
    expect((await extracted(docling(), 'Words.', 'a.docx', 'application/docx')).pages).toBeNull();
  });

  it('removes characters that a database or a reader cannot handle', async () => {
    const dirty = 'A\u0000 kiln\u0007,\r\nfired\ud800.';
    server.next(misbehaviour.json({ document: { md_content: dirty }, status: 'success' }));
    expect((await extracted(docling(), 'x')).markdown).toBe('A kiln,\nfired\ufffd.\n');
    server.next(misbehaviour.json({ text: '', segments: [{ start: 0, end: 1, text: dirty }] }));
    const speechText = (await extracted(speech(), 'x', 'talk.mp3', 'audio/mpeg')).markdown;
    expect(speechText).toBe('[00:00:00] A kiln,\nfired\ufffd.\n');
  });

  it('reports a fault of the file when the engine does, with a message for its owner', async () => {
    const cases: [Parameters<ProviderServer['next']>[0], string][] = [
      [misbehaviour.json({ document: { md_content: '' }, status: 'failure', errors: [] }), 'corrupt_file'],
      [misbehaviour.status(400), 'corrupt_file'],
      [misbehaviour.status(422), 'corrupt_file'],
      [misbehaviour.status(413), 'file_too_large'],
      [misbehaviour.status(415), 'unsupported_type'],
    ];
    for (const [behaviour, code] of cases) {
      server.next(behaviour);
      const error = await failure(docling(), 'x');
      expect([error['name'], error['code'], error['retryable']]).toStrictEqual(['ExtractionError', code, false]);
      expect(String(error['message'])).toMatch(/"report\.pdf"/);
    }
    // An empty file is sent to no engine.
    expect((await failure(docling(), ''))['code']).toBe('corrupt_file');
  });

  it('reports every other failure as a fault of the provider', async () => {
    const cases: [Parameters<ProviderServer['next']>[0], string][] = [
      [misbehaviour.status(500), 'server_error'],
      [misbehaviour.status(504), 'server_error'],
      [misbehaviour.status(429), 'rate_limited'],
      [misbehaviour.status(401), 'unauthorized'],
      [misbehaviour.status(404), 'refused'],
      [misbehaviour.reset, 'unreachable'],
      [misbehaviour.json({ status: 'success' }), 'malformed'],
      [misbehaviour.text('<html>'), 'malformed'],
    ];
    for (const [behaviour, fault] of cases) {
      server.next(behaviour);
      const error = await failure(docling(), 'x');
      expect([error['name'], error['fault']]).toStrictEqual(['ProviderError', fault]);
    }
    server.next(misbehaviour.hang);
    expect((await failure(docling({ deadlineMs: 50 }), 'x'))['fault']).toBe('timeout');
  });

  it('accepts no more text than allowed, however it is encoded', async () => {
    expect((await failure(docling({ outputBytesMax: 100 }), 'x'.repeat(101)))['code']).toBe('file_too_large');
    server.next(misbehaviour.oversized(1_000_000));
    expect((await failure(docling({ outputBytesMax: 100 }), 'x'))['code']).toBe('file_too_large');
  });

  it('returns speech as paragraphs with their times, and its duration', async () => {
    const said = [
      'The kiln is warm.',
      'It holds.',
      '',
      'Open it now.',
      ...Array.from({ length: 6 }, () => 'And wait.'),
    ];
    const { markdown, pages, metadata } = await extracted(speech(), said.join('\n'), 'talk.mp3', 'audio/mpeg');
    expect(markdown).toBe(
      [
        '[00:00:00] The kiln is warm. It holds.',
        '[00:00:25] Open it now. And wait. And wait. And wait. And wait. And wait.',
        '[00:01:25] And wait.\n',
      ].join('\n\n'),
    );
    expect([pages, metadata['duration_seconds']]).toStrictEqual([null, 95]);
    const [asked] = server.requests;
    expect(asked?.headers.authorization).toBe('Bearer secret');
    expect(asked?.body.toString()).toMatch(/name="model"\r\n\r\nwhisper-1\r\n/);
    expect(asked?.body.toString()).toMatch(/filename="source\.mp3"/);
  });

  it('accepts plain text from a model without segments', async () => {
    const { markdown, metadata } = await extracted(
      speech('gpt-4o-mini-transcribe'),
      'The kiln is warm.',
      'talk.m4a',
      'audio/mp4',
    );
    expect([markdown, metadata['duration_seconds']]).toStrictEqual(['The kiln is warm.\n', 10]);
  });

  it('treats spoken text as text, whatever it would mean in HTML', async () => {
    const said = 'Write <img src=x onerror=alert(1)> and &lt;b> and [a](javascript:alert(1)).';
    for (const model of ['whisper-1', 'gpt-4o-transcribe']) {
      const { markdown } = await extracted(speech(model), said, 'talk.mp3', 'audio/mpeg');
      const { text, elements } = renderMarkdown(markdown);
      expect(liveHtml(markdown)).toStrictEqual([]);
      expect(text).toMatch(/Write<imgsrc=xonerror=alert\(1\)>and&lt;b>and\[a\]\(javascript:alert\(1\)\)\.$/);
      expect(elements).toStrictEqual(['p']);
    }
  });

  it('reports unreadable audio as such, and a response without text as malformed', async () => {
    server.next(misbehaviour.status(400), misbehaviour.json({ segments: [] }));
    expect((await failure(speech(), 'x', 'talk.mp3', 'audio/mpeg'))['code']).toBe('corrupt_file');
    expect((await failure(speech(), 'x', 'talk.mp3', 'audio/mpeg'))['fault']).toBe('malformed');
  });
});
