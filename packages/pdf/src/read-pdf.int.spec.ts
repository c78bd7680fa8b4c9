// Real: pdfium and the whole engine. Faked: nothing.
import { describe, expect, it } from '@jest/globals';
import { PdfDrawing } from './fixtures/draw-pdf.js';
import { rawPdf } from './fixtures/raw-pdf.js';
import { readPdf } from './read-pdf.js';

const prose = 'Kilns heat clay until it becomes stone, and good ones lose little of their heat while they do so.';

async function read(content: Buffer): Promise<string> {
  return (await readPdf(content, { filename: 'a.pdf' })).markdown;
}
async function drawn(draw: (page: PdfDrawing) => void, size?: [number, number]): Promise<string> {
  const drawing = await PdfDrawing.start(size);
  draw(drawing);
  return read(await drawing.save());
}
const headings = (markdown: string): string[] => markdown.match(/^#+ .*/gm) ?? [];
const tableRows = (markdown: string): string[] => markdown.match(/^\|.*/gm) ?? [];

describe('headings', () => {
  it('are judged by the style of the whole document, also on pages without running text', async () => {
    const markdown = await drawn((page) => {
      page.text(60, 400, 'Part One', { face: 'bold', size: 14 });
      for (let number = 0; number < 3; number++) {
        page.nextPage();
        page.text(60, 80, `${number + 1} ${['Firing', 'Glazing', 'Cooling'][number] ?? ''}`, {
          face: 'bold',
          size: 11,
        });
        page.paragraph(60, 110, 450, `${prose} `.repeat(12).trim(), { size: 11 });
      }
    });
    expect(headings(markdown)).toStrictEqual(['# Part One', '## 1 Firing', '## 2 Glazing', '## 3 Cooling']);
  });

  it('are those that tags and the outline state', async () => {
    const tagged = rawPdf({
      contents: [
        '/H2 <</MCID 0>> BDC BT /F1 10 Tf 50 700 Td (tagged line) Tj ET EMC /P <</MCID 1>> BDC BT /F1 10 Tf 50 680 Td (and its text) Tj ET EMC',
      ],
      structure: [
        { type: 'H2', contentId: 0 },
        { type: 'P', contentId: 1 },
      ],
    });
    expect(await read(tagged)).toBe('## tagged line\n\nand its text\n');
    const outlined = rawPdf({
      contents: ['BT /F1 10 Tf 50 700 Td (a plain line) Tj 0 -40 Td (its text, which is longer.) Tj ET'],
      outline: [{ title: '1. A plain line', page: 1 }],
    });
    expect(headings(await read(outlined))).toStrictEqual(['# a plain line']);
  });
});

describe('tables', () => {
  it('with rules go on over pages, with one head', async () => {
    const markdown = await drawn((page) => {
      for (let number = 0; number < 3; number++) {
        if (number > 0) page.nextPage();
        for (let row = 0; row <= 5; row++) {
          page.line(60, 100 + row * 20, 500, 100 + row * 20);
          if (row === 5) continue;
          page.text(65, 114 + row * 20, row === 0 ? 'Code' : `M-${number}${row}`);
          page.text(305, 114 + row * 20, row === 0 ? 'Stock' : String(row));
        }
        for (const x of [60, 300, 500]) page.line(x, 100, x, 200);
        page.text(300, 815, String(number + 1));
      }
    });
    const rows = tableRows(markdown);
    expect(rows.slice(0, 3)).toStrictEqual(['| Code | Stock |', '| --- | --- |', '| M-01 | 1 |']);
    expect(rows).toHaveLength(14);
    expect(markdown.trim().split('\n')).toStrictEqual(rows);
  });

  it('without rules keep their columns, and wrapped cells', async () => {
    const markdown = await drawn((page) => {
      const rows = [
        ['Item', 'Amount'],
        ['Fire bricks, light, in boxes of twelve', '504.00'],
        ['Thermocouple', '289.50'],
        ['Assembly of the kiln and its furniture', '510.00'],
      ];
      let y = 100;
      for (const [item = '', amount = ''] of rows) {
        page.text(400, y, amount, { align: 'right' });
        y = page.paragraph(60, y, 120, item) + 8;
      }
    });
    expect(tableRows(markdown)).toStrictEqual([
      '| Item | Amount |',
      '| --- | --- |',
      '| Fire bricks, light, in boxes of twelve | 504.00 |',
      '| Thermocouple | 289.50 |',
      '| Assembly of the kiln and its furniture | 510.00 |',
    ]);
  });

  it('that tags describe have their spans', async () => {
    const cell = (id: number, x: number, y: number, text: string): string =>
      `/TD <</MCID ${id}>> BDC BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET EMC\n`;
    const first = { type: 'TD', contentId: 0, attributes: '<< /O /Table /ColSpan 2 >>' };
    const second = [1, 2].map((contentId) => ({ type: 'TD', contentId }));
    const rows = [[first], second].map((children) => ({ type: 'TR', children }));
    const markdown = await read(
      rawPdf({
        contents: [cell(0, 50, 700, 'Sales') + cell(1, 50, 685, 'North') + cell(2, 90, 685, 'South')],
        structure: [{ type: 'Table', children: rows }],
      }),
    );
    expect(markdown).toBe('| Sales | Sales |\n| --- | --- |\n| North | South |\n');
  });
});

describe('text', () => {
  it('of columns is read one after the other, with divided words joined', async () => {
    const markdown = await drawn((page) => {
      page.text(297, 70, 'The Kiln Gazette', { face: 'bold', size: 30, align: 'center' });
      for (const [index, x] of [40, 217, 394].entries()) {
        page.text(x, 110, `column ${index} begins with insula-`, { size: 9 });
        page.paragraph(x, 121, 160, `tion. ${prose} ${prose} ends ${index}.`, { size: 9 });
      }
    });
    const order = [...markdown.matchAll(/begins with insulation|ends \d/g)].map(([found]) => found);
    expect(order).toStrictEqual([0, 1, 2].flatMap((index) => ['begins with insulation', `ends ${index}`]));
  });

  it('of one narrow column below a head across the page is joined into paragraphs', async () => {
    const markdown = await drawn((page) => {
      page.text(60, 40, 'Journal of Kilns', { size: 8 });
      page.text(540, 40, 'of Thalwil', { size: 8, align: 'right' });
      const y = page.paragraph(60, 100, 180, `${prose} ${prose}`);
      page.paragraph(60, y + 8, 180, 'Two probes are enough to fire a kiln of this kind well.');
    });
    expect(
      markdown
        .split('\n\n')
        .slice(1)
        .map((part) => part.trim()),
    ).toStrictEqual([`${prose} ${prose}`, 'Two probes are enough to fire a kiln of this kind well.']);
  });

  it('loses running heads and numbers of pages, and keeps what is turned', async () => {
    const markdown = await drawn((page) => {
      for (let number = 1; number <= 4; number++) {
        if (number > 1) page.nextPage();
        page.text(60, 40, 'Confidential report', { size: 8 });
        page.text(60, 200, `${prose} ${'abcd'[number - 1] ?? ''}`);
        page.text(297, 815, `Page ${number} of 4`, { size: 8 });
      }
      page.text(500, 400, 'Draft of May', { size: 14, rotation: 90 });
    });
    expect(markdown).not.toMatch(/Confidential|Page \d/);
    expect(markdown.match(/Kilns heat clay/g)).toHaveLength(4);
    expect(markdown).toContain('Draft of May');
  });

  it('of two pages loses a head that counts them, but not the titles of two numbered forms', async () => {
    const twoPages = (title: string, size: number): Promise<string> =>
      drawn((page) => {
        for (const number of [1, 2]) {
          if (number === 2) page.nextPage();
          page.text(60, 40, title, { size });
          page.text(540, 40, String(number), { size, align: 'right' });
          page.paragraph(60, 120, 450, `${prose} ${number === 1 ? prose : 'And so it ends.'}`, { size: 10 });
        }
      });
    expect(await twoPages('Journal of Kilns', 8)).not.toContain('Journal');
    expect((await twoPages('Delivery note', 16)).match(/Delivery note/g)).toHaveLength(2);
  });

  it('on a page that is printed sideways is upright', async () => {
    const markdown = await drawn((page) => {
      for (let line = 0; line < 3; line++)
        page.text(100 + line * 14, 700, `Line ${line} runs upwards.`, { rotation: 90 });
    });
    expect(markdown.replace(/\s+/g, ' ').trim()).toBe('Line 0 runs upwards. Line 1 runs upwards. Line 2 runs upwards.');
  });

  it('from right to left is in logical order, with names and numbers in it', async () => {
    const letters = 'אבגדהוזחטיכלמנסעפצקרשת';
    const codes = (text: string): string =>
      Array.from(text, (letter) =>
        letters.includes(letter) ? String.fromCharCode(65 + letters.indexOf(letter)) : letter,
      )
        .toReversed()
        .join('');
    const line = (text: string, y: number): string => `1 0 0 1 300 ${y} Tm (${codes(text)}) Tj `;
    const content = `BT /F2 12 Tf ${line('שלומ עולמ', 700)}${line('משפט שני', 680)}/F1 12 Tf 1 0 0 1 240 680 Tm (PDF 2024) Tj ET`;
    const markdown = await read(rawPdf({ contents: [content], letters }));
    expect(markdown.replace(/\s+/g, ' ').trim()).toBe('שלומ עולמ משפט שני PDF 2024');
  });

  it('in a face for code keeps its lines and indentation', async () => {
    const markdown = await drawn((page) => {
      page.paragraph(60, 100, 450, `${prose} ${prose} ${prose}`);
      for (const [index, line] of ['if (hot) {', '  open(door);', '}'].entries())
        page.text(80 + (line.length - line.trimStart().length) * 5.4, 180 + index * 11, line.trim(), {
          face: 'mono',
          size: 9,
        });
    });
    expect(markdown).toContain('```\nif (hot) {\n  open(door);\n}\n```');
  });
});
