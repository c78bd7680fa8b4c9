import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { sniffContentType } from '@kiln/file-types/sniff-content-type';
import { createLocalExtractor } from '../local-extractor.js';

const notebookType = 'application/x-ipynb+json';
const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: string): ReturnType<Scratch['run']> => scratch.run(extractor, 'a.ipynb', notebookType, content);
const notebook = (cells: readonly unknown[], metadata: unknown = { language_info: { name: 'python' } }): string =>
  JSON.stringify({ nbformat: 4, metadata, cells });

describe('a notebook', () => {
  it('has its text, its code, and what the code printed or returned', async () => {
    const { markdown, metadata } = await read(
      notebook(
        [
          { cell_type: 'markdown', source: ['# Kilns\n', 'It is *hot*.'] },
          {
            cell_type: 'code',
            source: 'print("```")',
            outputs: [
              { output_type: 'stream', text: ['\u001b[31m900\u001b[0m\n', '1000\n'] },
              {
                output_type: 'execute_result',
                data: {
                  'text/plain': 'x',
                  'text/html': '<table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table>',
                },
              },
              { output_type: 'display_data', data: { 'image/png': 'AAAA' } },
              { output_type: 'error', ename: 'ValueError', evalue: 'too hot' },
            ],
          },
          { cell_type: 'raw', source: '<b>raw</b>' },
        ],
        { kernelspec: { language: 'Python' }, authors: [{ name: 'Ada' }] },
      ),
    );
    expect(markdown).toBe(
      '# Kilns\nIt is *hot*.\n\n````python\nprint("```")\n````\n\n```\n900\n1000\n```\n\n| a |\n| --- |\n| 1 |\n| 2 |\n\n```\nValueError: too hot\n```\n\n```\n<b>raw</b>\n```\n',
    );
    expect([metadata.title, metadata.author, metadata['cell_count'], metadata['code_language']]).toStrictEqual([
      'Kilns',
      'Ada',
      3,
      'python',
    ]);
  });

  it('of the older format is read, too', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Clay' },
      { cell_type: 'code', input: '1 + 1', outputs: [{ output_type: 'pyout', text: '2' }] },
    ];
    const { markdown } = await read(JSON.stringify({ nbformat: 3, worksheets: [{ cells }] }));
    expect(markdown).toBe('## Clay\n\n```\n1 + 1\n```\n\n```\n2\n```\n');
  });

  it('that is no JSON, or no notebook, is corrupt', async () => {
    for (const content of ['', '{"cells": [', '[]', '{"a": 1}', 'null'])
      await expect(read(content)).rejects.toMatchObject({ code: 'corrupt_file', retryable: false });
  });

  it('is detected by its name and by its content', async () => {
    const head = Buffer.from(notebook([{ cell_type: 'markdown', source: 'x' }]));
    expect(await sniffContentType({ head, filename: 'a.ipynb', claimed: null })).toBe(notebookType);
    expect(await sniffContentType({ head, filename: 'a', claimed: 'application/json' })).toBe(notebookType);
  });
});
