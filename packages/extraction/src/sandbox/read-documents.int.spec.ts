import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph, table } from '@kiln/readers/fixtures/make-docx';
import { makeEncryptedPdf, makePdf } from '@kiln/pdf/fixtures/make-pdf';
import { makeZip } from '@kiln/readers/fixtures/make-zip';
import { docxType, Scratch } from '@kiln/readers/fixtures/scratch';
import { createSandbox } from './sandbox.js';

const mebibyte = 1024 * 1024;
const sandbox = createSandbox({ processes: 1, isolation: 'preferred' });
let scratch: Scratch;
const read = (filename: string, contentType: string, content: Buffer | string): ReturnType<Scratch['run']> =>
  scratch.run(sandbox, filename, contentType, content);

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(async () => {
  await sandbox.close();
  await scratch.remove();
});

describe('pdf', () => {
  it('becomes markdown with headings, page offsets and the properties of the file', async () => {
    const content = await makePdf({
      title: 'Annual report',
      author: 'Grace Hopper',
      pages: [
        [
          { text: 'Compilers', size: 24 },
          ...Array.from({ length: 8 }, () => ({ text: 'A compiler translates one language to another one.' })),
        ],
        [{ text: 'The second page tells more about the linker.' }],
      ],
    });
    const { markdown, pages, pageCount, metadata } = await read('report.pdf', 'application/pdf', content);
    expect(markdown).toMatch(/^# Compilers$/m);
    expect(pageCount).toBe(2);
    expect([metadata.title, metadata.author, metadata.page_count, metadata.word_count]).toStrictEqual([
      'Annual report',
      'Grace Hopper',
      2,
      73,
    ]);
    expect(
      pages?.map(({ page, start, end }) => [
        page,
        markdown.slice(start, end).includes(page === 1 ? 'translates one language' : 'the linker'),
      ]),
    ).toStrictEqual([
      [1, true],
      [2, true],
    ]);
  });

  it('without any text completes with empty markdown', async () => {
    const { markdown, pageCount } = await read('blank.pdf', 'application/pdf', await makePdf({ pages: [[], []] }));
    expect([markdown, pageCount]).toStrictEqual(['', 2]);
  });

  it('that is locked, truncated or empty fails with the reason', async () => {
    const whole = await makePdf({ pages: [[{ text: 'Hello' }]] });
    await expect(read('locked.pdf', 'application/pdf', makeEncryptedPdf())).rejects.toMatchObject({
      code: 'encrypted_file',
      retryable: false,
      message: expect.stringMatching(/"locked\.pdf".*password/),
    });
    await expect(read('cut.pdf', 'application/pdf', whole.subarray(0, 200))).rejects.toMatchObject({
      code: 'corrupt_file',
      message: expect.stringMatching(/"cut\.pdf"/),
    });
    await expect(read('noise.pdf', 'application/pdf', Buffer.alloc(5000, 'kiln'))).rejects.toMatchObject({
      code: 'corrupt_file',
    });
    await expect(read('empty.pdf', 'application/pdf', '')).rejects.toMatchObject({ code: 'corrupt_file' });
  });
});

describe('docx', () => {
  it('is read when bytes were appended to the file, and not when its end is missing', async () => {
    const whole = makeDocx(paragraph('Clay and water'));
    const appended = Buffer.concat([whole, Buffer.from('\r\n')]);
    expect((await read('a.docx', docxType, appended)).markdown).toBe('Clay and water\n');
    await expect(read('a.docx', docxType, whole.subarray(0, -4))).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  it('marks where notes and comments belong, and has their text at the end', async () => {
    const [namespace, types] = [
      'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
    ];
    const body =
      '<w:p><w:r><w:t>Clay</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>';
    const parts = {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${types}/comments" Target="comments.xml"/><Relationship Id="r2" Type="${types}/footnotes" Target="footnotes.xml"/></Relationships>`,
      'word/comments.xml': `<w:comments ${namespace}><w:comment w:id="0" w:author="Ada" w:initials="A">${paragraph('Wet?')}</w:comment></w:comments>`,
      'word/footnotes.xml': `<w:footnotes ${namespace}><w:footnote w:id="2">${paragraph('Red.')}</w:footnote></w:footnotes>`,
    };
    const content = makeDocx(
      body,
      Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, Buffer.from(xml)])),
    );
    const { markdown } = await read('notes.docx', docxType, content);
    expect(markdown).toBe('Clay\\[A1\\]\\[1\\]\n\n1. Red.\n\n- **Comment \\[A1\\]**\n    - Wet?\n');
  });

  it('keeps headings, tables without a header row, and the core properties', async () => {
    const body =
      paragraph('Drinks', 'Heading1') +
      paragraph('Tea is older than coffee.') +
      table([
        ['Name', 'Price'],
        ['Tea', '2 | 3'],
      ]);
    const { markdown, metadata, pageCount, pages } = await read('drinks.docx', docxType, makeDocx(body));
    expect(markdown).toBe(
      '# Drinks\n\nTea is older than coffee.\n\n| Name | Price |\n| --- | --- |\n| Tea | 2 \\| 3 |\n',
    );
    expect([metadata.title, metadata.author, pageCount, pages]).toStrictEqual([
      'Tea & Coffee',
      'Ada Lovelace',
      null,
      null,
    ]);
  });

  it('that is empty, no zip, or another zip is corrupt; an encrypted one is reported as encrypted', async () => {
    await expect(read('empty.docx', docxType, '')).rejects.toMatchObject({ code: 'corrupt_file' });
    await expect(read('text.docx', docxType, 'just text')).rejects.toMatchObject({ code: 'corrupt_file' });
    await expect(read('zip.docx', docxType, makeZip({ 'a.txt': Buffer.from('a') }))).rejects.toMatchObject({
      code: 'corrupt_file',
    });
    await expect(
      read('locked.docx', docxType, Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex')),
    ).rejects.toMatchObject({ code: 'encrypted_file' });
  });

  it('that is a zip bomb is refused, whether or not it declares its size', async () => {
    const zeros = Buffer.alloc(20 * mebibyte, 0x20);
    await expect(read('bomb.docx', docxType, makeDocx('', { 'word/media/bomb.bin': zeros }))).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/times its size/),
    });
    const liar = makeZip(
      { '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': zeros },
      { 'word/document.xml': 1000 },
    );
    await expect(read('liar.docx', docxType, liar)).rejects.toMatchObject({ code: 'corrupt_file' });
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, Buffer.alloc(0)]));
    await expect(read('many.docx', docxType, makeZip(many))).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/parts/),
    });
  });
});

describe('html', () => {
  it('keeps the visible content, with tables and nested lists', async () => {
    const page = `<!doctype html><html lang="en"><head><title>Ducks &amp; geese</title><meta name="author" content="Ann"><style>p{}</style></head><body>
      <script>evil()</script><p hidden>unseen</p><h1>Ducks</h1><ul><li>Mallard<ul><li>male</li></ul></li></ul>
      <table><tr><th rowspan="2">Year</th><th colspan="2">Count</th></tr><tr><td>a</td><td>b</td></tr></table>
      <dl><dt>Coot</dt><dd>not a duck</dd></dl><p><a href="/x">link</a> <img alt="a duck" src="data:image/png;base64,AAAA"></p></body></html>`;
    const { markdown, metadata } = await read('ducks.html', 'text/html', page);
    expect(markdown).not.toMatch(/evil|unseen|base64/);
    expect(markdown).toMatch(
      /^# Ducks\n\n- Mallard\n {4}- male\n\n\| Year \| Count \| Count \|\n\| --- \| --- \| --- \|\n\| Year \| a \| b \|\n/,
    );
    expect(markdown).toMatch(/- \*\*Coot\*\*\n {4}- not a duck\n\n\[link\]\(\/x\) a duck\n$/);
    expect([metadata.title, metadata.author, metadata.language]).toStrictEqual(['Ducks & geese', 'Ann', 'en']);
  });

  it('is read in the character set it declares', async () => {
    const { markdown } = await read(
      'latin2.html',
      'text/html',
      Buffer.from('<meta charset="iso-8859-2"><p>za\xbf\xf3\xb3\xe6</p>', 'latin1'),
    );
    expect(markdown).toBe('zażółć\n');
  });

  it('in XHTML keeps what follows an empty tag', async () => {
    const page =
      '<?xml version="1.0"?><html><head><title/><script src="a.js"/></head><body><a id="x"/><p>words</p></body></html>';
    expect((await read('a.xhtml', 'application/xhtml+xml', page)).markdown).toBe('words\n');
  });

  it('nested too deeply is refused instead of crashing', async () => {
    await expect(read('deep.html', 'text/html', '<div><b>'.repeat(40_000))).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/nested too deeply/),
    });
  });
});

describe('csv', () => {
  it('becomes one table, with any separator, and short rows padded', async () => {
    for (const [separator, contentType] of [
      [',', 'text/csv'],
      [';', 'text/csv'],
      ['\t', 'text/tab-separated-values'],
      ['|', 'text/csv'],
    ] as const) {
      const rows = [['\ufeffid', 'name'], ['1', `"a${separator}b"`], ['2'], ['3', '"two\nlines"', 'x']];
      const { markdown, metadata } = await read(
        't.csv',
        contentType,
        rows.map((row) => row.join(separator)).join('\r\n'),
      );
      const quoted = separator === '|' ? 'a\\|b' : `a${separator}b`.replace('\t', '\t');
      expect(markdown).toBe(
        `| id | name |  |\n| --- | --- | --- |\n| 1 | ${quoted} |  |\n| 2 |  |  |\n| 3 | two<br>lines | x |\n`,
      );
      expect([metadata['row_count'], metadata['column_count'], metadata['delimiter']]).toStrictEqual([3, 3, separator]);
    }
  });

  it('in Shift-JIS is read as what it says', async () => {
    const content = Buffer.from('96bc914f2c93738e730a936392862c938c8b9e0a', 'hex');
    const { markdown, metadata } = await read('names.csv', 'text/csv', content);
    expect(markdown).toBe('| 名前 | 都市 |\n| --- | --- |\n| 田中 | 東京 |\n');
    expect(metadata['encoding']).toBe('shift_jis');
  });

  it('with a quote that never closes is still read', async () => {
    const { markdown } = await read('q.csv', 'text/csv', 'a,b\n1,"open\n2,x\n');
    expect(markdown).toMatch(/\| 2 \| x \|/);
  });

  it('that would be padded beyond the limit is refused', async () => {
    await expect(
      read('wide.csv', 'text/csv', `${','.repeat(200_000)}x\n${'1\n'.repeat(20_000)}`),
    ).rejects.toMatchObject({ code: 'file_too_large' });
  });
});

describe('text', () => {
  it('is decoded from UTF-8, UTF-16 and Windows-1252', async () => {
    const text = 'Grüße aus Köln\nzweite Zeile';
    const encodings: [string, Buffer][] = [
      ['utf-8', Buffer.from(text)],
      ['utf-8', Buffer.from(`\ufeff${text}`)],
      ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['utf-16le', Buffer.from(text, 'utf16le')],
      ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
      ['windows-1252', Buffer.from(text, 'latin1')],
    ];
    for (const [encoding, content] of encodings) {
      const { markdown, metadata } = await read('t.txt', 'text/plain', content);
      expect([markdown, metadata['encoding']]).toStrictEqual([text, encoding]);
    }
  });

  it.each(['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/json'])(
    'that is empty completes with empty markdown: %s',
    async (contentType) => {
      const { markdown, metadata } = await read('empty', contentType, '');
      expect([markdown, metadata.word_count]).toStrictEqual(['', 0]);
    },
  );

  it('loses NUL and lone surrogates, which databases refuse', async () => {
    const { markdown } = await read('t.txt', 'text/plain', Buffer.concat([Buffer.from('a\0b\r\nc\u0007')]));
    expect(markdown).toBe('ab\nc');
  });

  it('in a programming or data language is fenced, and cannot end its fence', async () => {
    const { markdown } = await read('a.json', 'application/json', '{"a":"```"}');
    expect(markdown).toBe('````json\n{"a":"```"}\n````\n');
  });

  it('in markdown passes through, its front matter becomes metadata', async () => {
    const { markdown, metadata } = await read(
      'a.md',
      'text/markdown',
      '---\ntitle: "Notes"\ntags: [a, b]\n---\n\n# One\n\nSome **text**.\n',
    );
    expect(markdown).toBe('# One\n\nSome **text**.\n');
    expect([metadata.title, metadata['front_matter']]).toStrictEqual(['Notes', { title: 'Notes', tags: ['a', 'b'] }]);
  });

  it('above the limit is refused before it is read', async () => {
    await expect(read('big.txt', 'text/plain', Buffer.alloc(65 * mebibyte, 'x'))).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/65 MiB.*64 MiB/),
    });
  });

  it('has its language detected', async () => {
    const { metadata } = await read(
      'de.txt',
      'text/plain',
      'Der Brennofen verwandelt rohe Dateien in fertige Texte, und niemand muss dabei zusehen, wie es geschieht.',
    );
    expect(metadata.language).toBe('de');
  });
});

describe('an unknown type', () => {
  it('is refused with what to do', async () => {
    await expect(read('a.bin', 'application/octet-stream', 'x')).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringMatching(/Convert/),
    });
    expect(sandbox.supports('application/octet-stream')).toBe(false);
  });
});
