// Real: HTTP on loopback, files on disk. The server reads what it is sent, and answers as docling-serve and OpenAI do.
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Extractor } from '../extractor.js';
import { Scratch } from '../fixtures/scratch.js';
import { liveHtml, renderMarkdown } from '../fixtures/render-markdown.js';
import { DoclingExtractor } from './docling-extractor.js';
import { providerEndpoint } from './provider-endpoint.js';
import { ProviderHttp } from './provider-http.js';
import { TranscriptionExtractor } from './transcription-extractor.js';

const DEADLINE_MS = 60_000;

describe('remote extraction', () => {
  let server: ProviderServer;
  const http = new ProviderHttp();
  let scratch: Scratch;
  before(async () => {
    server = await startProviderServer();
    scratch = await Scratch.make();
  });
  afterEach(() => server.reset());
  after(async () => {
    await http.close();
    await server.close();
    await scratch.remove();
  });

  const docling = (options: { deadlineMs?: number; outputBytesMax?: number } = {}) =>
    new DoclingExtractor({
      endpoint: providerEndpoint('document_extractor', { baseUrl: server.url, key: 'secret' }),
      http,
      deadlineMs: DEADLINE_MS,
      ...options,
    });
  const speech = (model = 'whisper-1') =>
    new TranscriptionExtractor({
      endpoint: providerEndpoint('audio_extractor', { baseUrl: `${server.url}/v1`, key: 'secret' }),
      http,
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
      () => assert.fail('it did not fail'),
      (error: Record<string, unknown>) => error,
    );

  it('brings a document as markdown with its pages, and with the metadata that any engine gives', async () => {
    const text =
      '# Kilns\n\nThe first page tells how clay is fired.\fThe second page tells the temperature.\f\fThe last one.';
    const { markdown, pages, pageCount, metadata, markdownBytes } = await extracted(docling(), text);
    assert.equal(pageCount, 4);
    assert.deepEqual(
      pages?.map(({ page, start, end }) => [page, markdown.slice(start, end)]),
      [
        [1, '# Kilns\n\nThe first page tells how clay is fired.'],
        [2, 'The second page tells the temperature.'],
        [3, ''],
        [4, 'The last one.'],
      ],
    );
    assert.equal(markdownBytes, Buffer.byteLength(markdown));
    assert.deepEqual([metadata.title, metadata.page_count, metadata.language], ['Kilns', 4, 'en']);
    assert.doesNotMatch(markdown, /kiln-page/);
  });

  it('sends the key as docling-serve reads it, the type, and not the name that the owner gave the file', async () => {
    await extracted(docling(), 'x', 'Dismissal of J. Doe.pdf');
    const [asked] = server.requests;
    assert.equal(asked?.headers['x-api-key'], 'secret');
    assert.equal(Number(asked.headers['content-length']), asked.body.length);
    assert.match(asked.body.toString(), /filename="source\.pdf"\r\nContent-Type: application\/pdf\r\n/);
    assert.doesNotMatch(asked.body.toString(), /Dismissal/);
  });

  it('streams a large file byte for byte, and says its length up front', async () => {
    const content = randomBytes(8 * 1_048_576);
    let received = 0;
    server.next((response, request) => {
      received = request.body.length;
      return misbehaviour.json({ document: { md_content: 'ok' }, status: 'success' })(response, request);
    });
    await extracted(docling(), content);
    assert.ok(received > content.length);
    assert.ok(server.requests[0]?.body.includes(content), 'all of it, in one piece');
  });

  it('takes one image for one page, and a text without page breaks for none', async () => {
    assert.deepEqual((await extracted(docling(), 'A sign.', 'a.png', 'image/png')).pages, [
      { page: 1, start: 0, end: 7 },
    ]);
    assert.equal((await extracted(docling(), 'Words.', 'a.docx', 'application/docx')).pages, null);
  });

  it('takes in no character that a database or a reader could stumble over', async () => {
    const dirty = 'A\u0000 kiln\u0007,\r\nfired\ud800.';
    server.next(misbehaviour.json({ document: { md_content: dirty }, status: 'success' }));
    assert.equal((await extracted(docling(), 'x')).markdown, 'A kiln,\nfired\ufffd.\n');
    server.next(misbehaviour.json({ text: '', segments: [{ start: 0, end: 1, text: dirty }] }));
    const speechText = (await extracted(speech(), 'x', 'talk.mp3', 'audio/mpeg')).markdown;
    assert.equal(speechText, '[00:00:00] A kiln,\nfired\ufffd.\n');
  });

  it('blames the file where the engine does, and in words for its owner', async () => {
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
      assert.deepEqual([error['name'], error['code'], error['retryable']], ['ExtractionError', code, false]);
      assert.match(String(error['message']), /"report\.pdf"/);
    }
    assert.equal((await failure(docling(), ''))['code'], 'corrupt_file', 'an empty file is sent to nobody');
  });

  it('blames the provider for everything else', async () => {
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
      assert.deepEqual([error['name'], error['fault']], ['ProviderError', fault]);
    }
    server.next(misbehaviour.hang);
    assert.equal((await failure(docling({ deadlineMs: 50 }), 'x'))['fault'], 'timeout');
  });

  it('takes in no more text than is allowed, however it is written', async () => {
    assert.equal((await failure(docling({ outputBytesMax: 100 }), 'x'.repeat(101)))['code'], 'file_too_large');
    server.next(misbehaviour.oversized(1_000_000));
    assert.equal((await failure(docling({ outputBytesMax: 100 }), 'x'))['code'], 'file_too_large');
  });

  it('brings speech as paragraphs with the moment they were said, and its length', async () => {
    const said = [
      'The kiln is warm.',
      'It holds.',
      '',
      'Open it now.',
      ...Array.from({ length: 6 }, () => 'And wait.'),
    ];
    const { markdown, pages, metadata } = await extracted(speech(), said.join('\n'), 'talk.mp3', 'audio/mpeg');
    assert.equal(
      markdown,
      [
        '[00:00:00] The kiln is warm. It holds.',
        '[00:00:25] Open it now. And wait. And wait. And wait. And wait. And wait.',
        '[00:01:25] And wait.\n',
      ].join('\n\n'),
    );
    assert.deepEqual([pages, metadata['duration_seconds']], [null, 95]);
    const [asked] = server.requests;
    assert.equal(asked?.headers.authorization, 'Bearer secret');
    assert.match(asked.body.toString(), /name="model"\r\n\r\nwhisper-1\r\n/);
    assert.match(asked.body.toString(), /filename="source\.mp3"/);
  });

  it('takes plain text where a model knows no segments', async () => {
    const { markdown, metadata } = await extracted(
      speech('gpt-4o-mini-transcribe'),
      'The kiln is warm.',
      'talk.m4a',
      'audio/mp4',
    );
    assert.deepEqual([markdown, metadata['duration_seconds']], ['The kiln is warm.\n', 10]);
  });

  it('takes what was said for words, whatever it would mean in HTML', async () => {
    const said = 'Write <img src=x onerror=alert(1)> and &lt;b> and [a](javascript:alert(1)).';
    for (const model of ['whisper-1', 'gpt-4o-transcribe']) {
      const { markdown } = await extracted(speech(model), said, 'talk.mp3', 'audio/mpeg');
      const { text, elements } = renderMarkdown(markdown);
      assert.deepEqual(liveHtml(markdown), []);
      assert.match(text, /Write<imgsrc=xonerror=alert\(1\)>and&lt;b>and\[a\]\(javascript:alert\(1\)\)\.$/);
      assert.deepEqual(elements, ['p']);
    }
  });

  it('of audio that can not be heard says so, and of an answer without text that it makes no sense', async () => {
    server.next(misbehaviour.status(400), misbehaviour.json({ segments: [] }));
    assert.equal((await failure(speech(), 'x', 'talk.mp3', 'audio/mpeg'))['code'], 'corrupt_file');
    assert.equal((await failure(speech(), 'x', 'talk.mp3', 'audio/mpeg'))['fault'], 'malformed');
  });
});
