// Real: HTTP on loopback, files on disk. The server answers as Unstructured's API does.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { hostilePieces, liveHtml, renderMarkdown } from '@kiln/readers/fixtures/render-markdown';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { defaultLimits } from '@kiln/readers/limits';
import { AnswerReader } from './answer-reader.js';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { UnstructuredExtractor } from './unstructured-extractor.js';

const of = (type: string, text: string, metadata: object = {}) => ({ type, text, metadata });

describe('extraction by Unstructured', () => {
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
  const read = (content = 'x', options: { outputBytesMax?: number } = {}) => {
    const endpoint = providerEndpoint('document_extractor', { baseUrl: server.url, key: 'secret' });
    const sandbox = new AnswerReader(defaultLimits.outputBytesMax);
    const engine = new UnstructuredExtractor({ endpoint, http, sandbox, deadlineMs: 60_000, ...options });
    return scratch.run(engine, 'Dismissal of J. Doe.pdf', 'application/pdf', content);
  };
  const readElements = (elements: readonly unknown[]) => {
    server.next(misbehaviour.json(elements));
    return read();
  };

  it('returns pages whose text is cut exactly by their offsets, and the first heading as title', async () => {
    const { markdown, pages, pageCount, metadata } = await read('# Kilns\nClay.\f\f- warm\n- hot');
    expect(markdown).toBe('# Kilns\n\nClay.\n\n- warm\n- hot\n');
    expect(pages?.map(({ page, start, end }) => [page, markdown.slice(start, end)])).toStrictEqual([
      [1, '# Kilns\n\nClay.'],
      [2, ''],
      [3, '- warm\n- hot'],
    ]);
    expect([pageCount, metadata.title]).toStrictEqual([3, 'Kilns']);
    const [asked] = server.requests;
    expect([asked?.path, asked?.headers['unstructured-api-key']]).toStrictEqual(['/general/v0/general', 'secret']);
    expect(asked?.body.toString()).toMatch(/filename="source\.pdf"\r\nContent-Type: application\/pdf\r\n/);
    expect(asked?.body.toString()).not.toMatch(/Dismissal/);
  });

  it('writes titles and items by their depth, tables of HTML, code, and no running heads', async () => {
    const html = '<table><tr><th>Year</th><th>Pots</th></tr><tr><td colspan="2">none | yet</td></tr></table>';
    const { markdown, pages } = await readElements([
      of('Header', 'Kiln Ltd.'),
      of('Title', 'Kilns', { category_depth: 0 }),
      of('Title', 'Firing', { category_depth: 1 }),
      of('ListItem', 'dry', { category_depth: 0 }),
      of('ListItem', 'slowly', { category_depth: 1 }),
      of('ListItem', 'fire', { category_depth: 0 }),
      of('Table', 'Year Pots none', { text_as_html: html }),
      of('Table', 'only text'),
      of('CodeSnippet', 'fire();\nwait();'),
      of('Footer', 'page 1'),
    ]);
    expect(markdown).toBe(
      [
        '# Kilns',
        '## Firing',
        '- dry\n    - slowly\n- fire',
        '| Year | Pots |\n| --- | --- |\n| none \\| yet | none \\| yet |',
        'only text',
        '```\nfire();\nwait();\n```\n',
      ].join('\n\n'),
    );
    expect(pages).toBeNull();
  });

  it('shows hostile text and hostile tables as text, and no table can swallow what follows it', async () => {
    const hostile = hostilePieces.join('word ');
    const tables = [
      '<table><tr><td>open',
      '<!-- open',
      '<textarea>open',
      '<table><td><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">b</a>',
    ];
    const { markdown } = await readElements([
      of('Title', hostile),
      of('NarrativeText', hostile),
      of('ListItem', hostile),
      ...tables.map((html) => of('Table', 'shown', { text_as_html: html })),
      of('NarrativeText', 'The end.'),
    ]);
    expect(liveHtml(markdown)).toStrictEqual([]);
    const { text, elements } = renderMarkdown(markdown);
    expect(elements.filter((name) => /script|onerror/.test(name))).toStrictEqual([]);
    expect(text).toMatch(/Theend\.$/);
  });

  it('accepts pages that make no sense, and no more text than allowed', async () => {
    const { markdown, pages } = await readElements([
      of('NarrativeText', 'before', { page_number: -1 }),
      of('NarrativeText', 'one', { page_number: 1 }),
      of('NarrativeText', 'three', { page_number: 3 }),
      of('NarrativeText', 'back', { page_number: 2 }),
      of('NarrativeText', 'never', { page_number: 1e9 }),
      null,
      'words',
    ]);
    expect(pages?.map(({ start, end }) => markdown.slice(start, end))).toStrictEqual([
      'before\n\none',
      '',
      'three\n\nback\n\nnever',
    ]);
    await expect(read('x'.repeat(101), { outputBytesMax: 100 })).rejects.toMatchObject({ code: 'file_too_large' });
    server.next(misbehaviour.json({ detail: 'no list' }));
    await expect(read()).rejects.toMatchObject({ fault: 'malformed' });
    server.next(misbehaviour.status(422));
    await expect(read()).rejects.toMatchObject({ code: 'corrupt_file' });
  });
});
