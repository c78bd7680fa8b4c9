import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDocx, makeZip, paragraph, table } from '../fixtures/make-docx.js';
import { makeEncryptedPdf, makePdf } from '../fixtures/make-pdf.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { createSandbox } from '../sandbox/sandbox.js';

const mebibyte = 1024 * 1024;
const sandbox = createSandbox({ processes: 1 });
let scratch: Scratch;
const read = (filename: string, contentType: string, content: Buffer | string): ReturnType<Scratch['run']> =>
  scratch.run(sandbox, filename, contentType, content);

before(async () => {
  scratch = await Scratch.make();
});
after(async () => {
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
          ...Array.from({ length: 8 }, () => ({ text: 'A compiler turns one language into another one.' })),
        ],
        [{ text: 'The second page tells more about the linker.' }],
      ],
    });
    const { markdown, pages, pageCount, metadata } = await read('report.pdf', 'application/pdf', content);
    assert.match(markdown, /^# Compilers$/m);
    assert.equal(pageCount, 2);
    assert.deepEqual(
      [metadata.title, metadata.author, metadata.page_count, metadata.word_count],
      ['Annual report', 'Grace Hopper', 2, 73],
    );
    assert.deepEqual(
      pages?.map(({ page, start, end }) => [
        page,
        markdown.slice(start, end).includes(page === 1 ? 'turns one language' : 'the linker'),
      ]),
      [
        [1, true],
        [2, true],
      ],
    );
  });

  it('without any text completes with empty markdown', async () => {
    const { markdown, pageCount } = await read('blank.pdf', 'application/pdf', await makePdf({ pages: [[], []] }));
    assert.deepEqual([markdown, pageCount], ['', 2]);
  });

  it('that is locked, cut off or empty fails with the reason', async () => {
    const whole = await makePdf({ pages: [[{ text: 'Hello' }]] });
    await assert.rejects(read('locked.pdf', 'application/pdf', makeEncryptedPdf()), {
      code: 'encrypted_file',
      retryable: false,
      message: /"locked\.pdf".*password/,
    });
    await assert.rejects(read('cut.pdf', 'application/pdf', whole.subarray(0, 200)), {
      code: 'corrupt_file',
      message: /"cut\.pdf"/,
    });
    await assert.rejects(read('noise.pdf', 'application/pdf', Buffer.alloc(5000, 'kiln')), { code: 'corrupt_file' });
    await assert.rejects(read('empty.pdf', 'application/pdf', ''), { code: 'corrupt_file' });
  });
});

describe('docx', () => {
  it('keeps headings, tables without a header row, and the core properties', async () => {
    const body =
      paragraph('Drinks', 'Heading1') +
      paragraph('Tea is older than coffee.') +
      table([
        ['Name', 'Price'],
        ['Tea', '2 | 3'],
      ]);
    const { markdown, metadata, pageCount, pages } = await read('drinks.docx', docxType, makeDocx(body));
    assert.equal(
      markdown,
      '# Drinks\n\nTea is older than coffee.\n\n| Name | Price |\n| --- | --- |\n| Tea | 2 \\| 3 |\n',
    );
    assert.deepEqual([metadata.title, metadata.author, pageCount, pages], ['Tea & Coffee', 'Ada Lovelace', null, null]);
  });

  it('that is empty, no zip, or another zip is corrupt; an encrypted one is called so', async () => {
    await assert.rejects(read('empty.docx', docxType, ''), { code: 'corrupt_file' });
    await assert.rejects(read('text.docx', docxType, 'just text'), { code: 'corrupt_file' });
    await assert.rejects(read('zip.docx', docxType, makeZip({ 'a.txt': Buffer.from('a') })), { code: 'corrupt_file' });
    await assert.rejects(read('locked.docx', docxType, Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex')), {
      code: 'encrypted_file',
    });
  });

  it('that is a zip bomb is refused, whether or not it declares its size', async () => {
    const zeros = Buffer.alloc(20 * mebibyte, 0x20);
    await assert.rejects(read('bomb.docx', docxType, makeDocx('', { 'word/media/bomb.bin': zeros })), {
      code: 'file_too_large',
      message: /times its size/,
    });
    const liar = makeZip(
      { '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': zeros },
      { 'word/document.xml': 1000 },
    );
    await assert.rejects(read('liar.docx', docxType, liar), { code: 'corrupt_file' });
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, Buffer.alloc(0)]));
    await assert.rejects(read('many.docx', docxType, makeZip(many)), { code: 'file_too_large', message: /parts/ });
  });
});

describe('html', () => {
  it('keeps what a reader sees, with tables spelled out and lists nested', async () => {
    const page = `<!doctype html><html lang="en"><head><title>Ducks &amp; geese</title><meta name="author" content="Ann"><style>p{}</style></head><body>
      <script>evil()</script><p hidden>unseen</p><h1>Ducks</h1><ul><li>Mallard<ul><li>male</li></ul></li></ul>
      <table><tr><th rowspan="2">Year</th><th colspan="2">Count</th></tr><tr><td>a</td><td>b</td></tr></table>
      <dl><dt>Coot</dt><dd>not a duck</dd></dl><p><a href="/x">link</a> <img alt="a duck" src="data:image/png;base64,AAAA"></p></body></html>`;
    const { markdown, metadata } = await read('ducks.html', 'text/html', page);
    assert.doesNotMatch(markdown, /evil|unseen|base64/);
    assert.match(
      markdown,
      /^# Ducks\n\n- Mallard\n {4}- male\n\n\| Year \| Count \| Count \|\n\| --- \| --- \| --- \|\n\| Year \| a \| b \|\n/,
    );
    assert.match(markdown, /- \*\*Coot\*\*\n {4}- not a duck\n\n\[link\]\(\/x\) a duck\n$/);
    assert.deepEqual([metadata.title, metadata.author, metadata.language], ['Ducks & geese', 'Ann', 'en']);
  });

  it('is read in the character set it declares', async () => {
    const { markdown } = await read(
      'latin2.html',
      'text/html',
      Buffer.from('<meta charset="iso-8859-2"><p>za\xbf\xf3\xb3\xe6</p>', 'latin1'),
    );
    assert.equal(markdown, 'zażółć\n');
  });

  it('nested beyond reason is refused instead of crashing', async () => {
    await assert.rejects(read('deep.html', 'text/html', '<div><b>'.repeat(40_000)), {
      code: 'file_too_large',
      message: /nested too deeply/,
    });
  });
});

describe('csv', () => {
  it('becomes one table, whatever separates it, with ragged rows padded', async () => {
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
      assert.equal(
        markdown,
        `| id | name |  |\n| --- | --- | --- |\n| 1 | ${quoted} |  |\n| 2 |  |  |\n| 3 | two<br>lines | x |\n`,
      );
      assert.deepEqual([metadata['row_count'], metadata['column_count'], metadata['delimiter']], [3, 3, separator]);
    }
  });

  it('with a quote that never closes is still read', async () => {
    const { markdown } = await read('q.csv', 'text/csv', 'a,b\n1,"open\n2,x\n');
    assert.match(markdown, /\| 2 \| x \|/);
  });

  it('that would be padded beyond the limit is refused', async () => {
    await assert.rejects(read('wide.csv', 'text/csv', `${','.repeat(200_000)}\n${'1\n'.repeat(20_000)}`), {
      code: 'file_too_large',
    });
  });
});

describe('text', () => {
  it('is recognised in UTF-8, UTF-16 and Windows-1252', async () => {
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
      assert.deepEqual([markdown, metadata['encoding']], [text, encoding]);
    }
  });

  it('that is empty completes with empty markdown', async () => {
    for (const contentType of ['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/json']) {
      const { markdown, metadata } = await read('empty', contentType, '');
      assert.deepEqual([contentType, markdown, metadata.word_count], [contentType, '', 0]);
    }
  });

  it('loses NUL and lone surrogates, which databases refuse', async () => {
    const { markdown } = await read('t.txt', 'text/plain', Buffer.concat([Buffer.from('a\0b\r\nc\u0007')]));
    assert.equal(markdown, 'ab\nc');
  });

  it('written for machines is fenced, and cannot leave its fence', async () => {
    const { markdown } = await read('a.json', 'application/json', '{"a":"```"}');
    assert.equal(markdown, '````json\n{"a":"```"}\n````\n');
  });

  it('in markdown passes through, its front matter becomes metadata', async () => {
    const { markdown, metadata } = await read(
      'a.md',
      'text/markdown',
      '---\ntitle: "Notes"\ntags: [a, b]\n---\n\n# One\n\nSome **text**.\n',
    );
    assert.equal(markdown, '# One\n\nSome **text**.\n');
    assert.deepEqual([metadata.title, metadata['front_matter']], ['Notes', { title: 'Notes', tags: ['a', 'b'] }]);
  });

  it('above the limit is refused before it is read', async () => {
    await assert.rejects(read('big.txt', 'text/plain', Buffer.alloc(65 * mebibyte, 'x')), {
      code: 'file_too_large',
      message: /65 MiB.*64 MiB/,
    });
  });

  it('has its language detected', async () => {
    const { metadata } = await read(
      'de.txt',
      'text/plain',
      'Der Brennofen verwandelt rohe Dateien in fertige Texte, und niemand muss dabei zusehen, wie es geschieht.',
    );
    assert.equal(metadata.language, 'de');
  });
});

describe('an unknown type', () => {
  it('is refused with what to do', async () => {
    await assert.rejects(read('a.bin', 'application/octet-stream', 'x'), {
      code: 'unsupported_type',
      message: /Convert/,
    });
    assert.equal(sandbox.supports('application/octet-stream'), false);
  });
});
