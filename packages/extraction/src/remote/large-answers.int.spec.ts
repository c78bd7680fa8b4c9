// Real: HTTP on loopback, files on disk, the sandbox. Faked: an extractor of the release before. The servers answer as docling-serve, Unstructured and OpenAI do.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { readdir } from 'node:fs/promises';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { unsupportedType } from '@kiln/pdf/extraction-error';
import type { Extractor } from '@kiln/readers/extractor';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { ExtractorServer } from '../sandbox/extractor-server.js';
import { createRemoteSandbox } from '../sandbox/remote-sandbox.js';
import { createSandbox } from '../sandbox/sandbox.js';
import { isSystemFault } from '../sandbox/system-fault.js';
import { DoclingExtractor } from './docling-extractor.js';
import { TranscriptionExtractor } from './transcription-extractor.js';
import { UnstructuredExtractor } from './unstructured-extractor.js';

const PADDING = 'x'.repeat(5 * 1_048_576);
/** Longer than what counts as a loop. */
const LOOP = 'Thank you for watching. '.repeat(100);

describe('a large answer of a remote engine', () => {
  let server: ProviderServer;
  let scratch: Scratch;
  const http = new ProviderHttp();
  const sandbox = createSandbox({ processes: 1, isolation: 'preferred' });
  beforeAll(async () => {
    server = await startProviderServer();
    scratch = await Scratch.make();
  });
  let readBefore = 0;
  beforeEach(() => {
    readBefore = sandbox.stats().completed + sandbox.stats().failed;
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await Promise.all([http.close(), sandbox.close(), server.close()]);
    await scratch.remove();
  });

  const optionsFor = (provider: 'document_extractor' | 'audio_extractor') => ({
    endpoint: providerEndpoint(provider, { baseUrl: server.url }),
    http,
    sandbox,
    deadlineMs: 60_000,
  });
  const docling = () => new DoclingExtractor(optionsFor('document_extractor'));
  const unstructured = () => new UnstructuredExtractor(optionsFor('document_extractor'));
  const speech = () => new TranscriptionExtractor({ ...optionsFor('audio_extractor'), model: 'whisper-1' });
  const documentOf = (markdown: string, status = 'success') => ({ document: { md_content: markdown }, status });
  const readInSandbox = () => sandbox.stats().completed + sandbox.stats().failed - readBefore;

  const answers: [string, () => Extractor, object, object][] = [
    ['docling-serve', docling, documentOf('# Kilns\n\nClay.', 'partial_success'), { padding: PADDING }],
    [
      'Unstructured',
      unstructured,
      [
        { type: 'Title', text: 'Kilns', metadata: { page_number: 1 } },
        { type: 'NarrativeText', text: 'Clay.', metadata: { page_number: 2 } },
      ],
      [{ type: 'Header', text: PADDING }],
    ],
    ['a transcription server', speech, { text: 'It is warm.', duration: 9 }, { padding: PADDING }],
  ];
  it.each(answers)(
    'of %s is parsed in the sandbox, with the same outcome as a small one',
    async (_of, engine, answer, more) => {
      const read = () => scratch.run(engine(), 'a.pdf', 'application/pdf', 'x');
      server.next(misbehaviour.json(answer));
      const small = await read();
      expect(readInSandbox()).toBe(0);
      server.next(misbehaviour.json(Array.isArray(answer) ? [...answer, ...(more as [])] : { ...answer, ...more }));
      const large = await read();
      expect(readInSandbox()).toBe(1);
      const { markdown, pages, pageCount, metadata } = large;
      expect({ markdown, pages, pageCount, metadata }).toStrictEqual({
        markdown: small.markdown,
        pages: small.pages,
        pageCount: small.pageCount,
        metadata: small.metadata,
      });
    },
  );

  it('has its page breaks read in the sandbox', async () => {
    const page = 'Hot clay.\n\n'.repeat(250_000);
    const { pages, pageCount } = await scratch.run(docling(), 'a.pdf', 'application/pdf', `${page}\f${page}`);
    expect([readInSandbox(), pageCount, pages?.length]).toStrictEqual([1, 2, 2]);
  });

  it('is sent to an extractor where documents are read on another machine', async () => {
    const limits = { documentsMax: 4, inputBytesMax: 16 * 1_048_576, receiveDeadlineMs: 60_000 };
    const extractor = new ExtractorServer({ sandbox, directory: scratch.path, ...limits });
    const url = `http://127.0.0.1:${await extractor.listen(0, '127.0.0.1')}`;
    const remote = createRemoteSandbox({ url, deadlineMs: 60_000 });
    try {
      server.next(misbehaviour.json({ ...documentOf('# Kilns'), padding: PADDING }));
      const engine = new DoclingExtractor({ ...optionsFor('document_extractor'), sandbox: remote });
      const { markdown, pageCount } = await scratch.run(engine, 'a.pdf', 'application/pdf', 'x');
      expect([markdown, pageCount, readInSandbox()]).toStrictEqual(['# Kilns\n', 1, 1]);
    } finally {
      await remote.close();
      await extractor.close();
    }
  });

  it('waits where the extractor, of the release before, cannot read answers', async () => {
    server.next(misbehaviour.json({ padding: PADDING }));
    const before = { extract: () => Promise.reject(unsupportedType('a.pdf', 'application/vnd.kiln.engine-answer')) };
    const engine = new DoclingExtractor({ ...optionsFor('document_extractor'), sandbox: before });
    const error: unknown = await scratch
      .run(engine, 'a.pdf', 'application/pdf', 'x')
      .catch((thrown: unknown) => thrown);
    expect(isSystemFault(error)).toBe(true);
  });

  it.each<[string, () => Extractor, object | string, object]>([
    ['no JSON', docling, `{"document": "${PADDING}`, { fault: 'malformed' }],
    ['no document', docling, { padding: PADDING }, { fault: 'malformed' }],
    ['no list of elements', unstructured, { padding: PADDING }, { fault: 'malformed' }],
    ['a loop', speech, { text: LOOP, padding: PADDING }, { fault: 'repetitive' }],
    ['the failure of the file', docling, documentOf(PADDING, 'failure'), { code: 'corrupt_file' }],
  ])('that is %s is reported as a small one is, and is not left on disk', async (_what, engine, answer, error) => {
    server.next(typeof answer === 'string' ? misbehaviour.text(answer) : misbehaviour.json(answer));
    const input = await scratch.input('a.pdf', 'application/pdf', 'x');
    await expect(engine().extract(input, new AbortController().signal)).rejects.toMatchObject(error);
    expect(readInSandbox()).toBe(1);
    expect(await readdir(input.outputDirectory)).toStrictEqual(['source']);
  });
});
