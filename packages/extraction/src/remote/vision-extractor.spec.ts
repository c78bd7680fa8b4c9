// Real: HTTP on loopback, files on disk. The server answers as a chat model with vision does: it reads the bytes of the image as its text.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { liveHtml, renderMarkdown } from '@kiln/readers/fixtures/render-markdown';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { defaultLimits } from '@kiln/readers/limits';
import { AnswerReader } from './answer-reader.js';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { TranscriptionExtractor } from './transcription-extractor.js';
import { VisionExtractor } from './vision-extractor.js';

const answer = (content: string, reason = 'stop') =>
  misbehaviour.json({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: reason }] });
const LOOP = 'Thank you for watching. '.repeat(200);

describe('text that a model reads in an image', () => {
  let server: ProviderServer;
  let scratch: Scratch;
  const http = new ProviderHttp();
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
  const common = (provider: 'image_extractor' | 'audio_extractor') => ({
    endpoint: providerEndpoint(provider, { baseUrl: `${server.url}/v1`, key: 'secret' }),
    http,
    deadlineMs: 60_000,
    model: 'seeing',
  });
  const read = (
    content = 'x',
    contentType = 'image/png',
    options: { imageBytesMax?: number; outputBytesMax?: number } = {},
  ) =>
    scratch.run(
      new VisionExtractor({ ...common('image_extractor'), ...options }),
      'Sign of J. Doe.png',
      contentType,
      content,
    );
  const readAnswer = (...given: Parameters<typeof answer>) => {
    server.next(answer(...given));
    return read();
  };

  it('is one page of markdown', async () => {
    const { markdown, pages, metadata } = await read('# Kilns\n\n| a | b |\n| --- | --- |\n| 1 | 2 |');
    expect(markdown).toBe('# Kilns\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n');
    expect(pages).toStrictEqual([{ page: 1, start: 0, end: markdown.length - 1 }]);
    expect([metadata.title, metadata.page_count]).toStrictEqual(['Kilns', 1]);
  });

  it('is requested with a limit, the type of the image, the key, and no name', async () => {
    await read();
    const [asked] = server.requests;
    expect([asked?.path, asked?.headers.authorization]).toStrictEqual(['/v1/chat/completions', 'Bearer secret']);
    expect(asked?.json).toMatchObject({ model: 'seeing', max_tokens: 8_192, temperature: 0 });
    const [, user] = (asked?.json['messages'] ?? []) as { content: unknown }[];
    const url = `data:image/png;base64,${Buffer.from('x').toString('base64')}`;
    expect(user?.content).toStrictEqual([{ type: 'image_url', image_url: { url } }]);
    expect(asked?.body.toString()).not.toMatch(/Doe/);
  });

  it('is refused if the model loops, although it was cut off: a fault of the provider that may pass', async () => {
    for (const reason of ['stop', 'length'])
      await expect(readAnswer(LOOP, reason)).rejects.toMatchObject({ fault: 'repetitive', transient: true });
    await expect(readAnswer('A long text.', 'length')).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('of speech is refused too if the model loops, in one piece or in segments', async () => {
    const sandbox = new AnswerReader(defaultLimits.outputBytesMax);
    const speech = () =>
      scratch.run(new TranscriptionExtractor({ ...common('audio_extractor'), sandbox }), 'a.mp3', 'audio/mpeg', 'x');
    const segments = Array.from({ length: 200 }, (_, at) => ({
      start: at * 3,
      end: at * 3 + 1,
      text: ' Thank you for watching.',
    }));
    for (const body of [{ text: LOOP }, { text: '', segments }]) {
      server.next(misbehaviour.json(body));
      await expect(speech()).rejects.toMatchObject({ fault: 'repetitive', transient: true });
    }
    server.next(misbehaviour.json({ text: '', segments: segments.slice(0, 5) }));
    expect((await speech()).markdown).toMatch(/watching/);
  });

  it('is taken out of the fence that encloses all of it, and a fence within is kept', async () => {
    expect((await readAnswer('```markdown\n# Kilns\n```')).markdown).toBe('# Kilns\n');
    const two = '```\na\n```\n\n```\nb\n```';
    expect((await readAnswer(two)).markdown).toBe(`${two}\n`);
    expect((await readAnswer('')).markdown).toBe('');
  });

  it('brings no HTML and no unsafe link with it', async () => {
    const { markdown } = await readAnswer('<img src=x onerror=alert(1)> [a](javascript:alert(1)) &lt;b>');
    expect(liveHtml(markdown)).toStrictEqual([]);
    expect(renderMarkdown(markdown).elements).toStrictEqual(['p']);
  });

  it('is refused beyond its limits, and no image of another type or size is sent', async () => {
    await expect(read('x', 'image/tiff')).rejects.toMatchObject({ code: 'unsupported_type' });
    await expect(read('xx', 'image/png', { imageBytesMax: 1 })).rejects.toMatchObject({ code: 'file_too_large' });
    await expect(read('')).rejects.toMatchObject({ code: 'corrupt_file' });
    expect(server.requests).toHaveLength(0);
    await expect(read('abc', 'image/png', { outputBytesMax: 2 })).rejects.toMatchObject({ code: 'file_too_large' });
    server.next(misbehaviour.status(400));
    // The model may be unknown: nothing says that the image is damaged.
    await expect(read()).rejects.toMatchObject({ fault: 'refused' });
  });
});
