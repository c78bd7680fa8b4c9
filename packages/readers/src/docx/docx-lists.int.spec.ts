import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, makeDocxWithParts, paragraph, table, wordNamespace } from '../fixtures/make-docx.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

type Level = readonly [format: string, label: string, more?: string];

const numberingLink = (list: string | null, level?: number): string =>
  `<w:numPr>${level === undefined ? '' : `<w:ilvl w:val="${level}"/>`}${list === null ? '' : `<w:numId w:val="${list}"/>`}</w:numPr>`;
const item = (text: string, list: string, level = 0): string => styled(text, numberingLink(list, level));
const styled = (text: string, properties: string): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const levelsOf = (levels: readonly Level[]): string =>
  levels
    .map(
      ([format, label, more = ''], index) =>
        `<w:lvl w:ilvl="${index}">${more.includes('<w:start ') ? '' : '<w:start w:val="1"/>'}<w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/>${more}</w:lvl>`,
    )
    .join('');
const abstract = (id: string, content: string): string =>
  `<w:abstractNum w:abstractNumId="${id}">${content}</w:abstractNum>`;
const list = (id: string, abstractId: string, overrides = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${overrides}</w:num>`;
const restart = (level: number, start: number): string =>
  `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;
const numberingPart = (content: string): string => `<w:numbering ${wordNamespace}>${content}</w:numbering>`;
const style = (id: string, properties: string, name = id, base = '', type = 'paragraph'): string =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${base === '' ? '' : `<w:basedOn w:val="${base}"/>`}<w:pPr>${properties}</w:pPr></w:style>`;

async function read(body: string, numbering: string, styles = ''): Promise<string> {
  const parts = { numbering: numberingPart(numbering), styles: `<w:styles ${wordNamespace}>${styles}</w:styles>` };
  return (await scratch.run(extractor, 'a.docx', docxType, makeDocxWithParts(body, parts))).markdown;
}
const oneList = (levels: readonly Level[]): string => abstract('1', levelsOf(levels)) + list('1', '1');
const legal: readonly Level[] = [
  ['decimal', '%1'],
  ['decimal', '%1.%2'],
  ['lowerLetter', '(%3)'],
  ['upperRoman', '%4.'],
];

describe('a heading that Word numbers', () => {
  const headings =
    style('Heading1', numberingLink('1'), 'heading 1') +
    style('Heading2', numberingLink('1', 1), 'heading 2') +
    style('berschrift3', `${numberingLink('1', 2)}<w:outlineLvl w:val="2"/>`, 'heading 3');
  const levels: readonly Level[] = [
    ['decimal', 'Chapter %1:'],
    ['decimal', '%1.%2'],
    ['upperLetter', '%1.%2.%3'],
  ];

  it('has its number in its text, where a style numbers it', async () => {
    const body = [
      paragraph('Clay', 'Heading1'),
      paragraph('Red', 'Heading2'),
      paragraph('White', 'Heading2'),
      paragraph('Kaolin', 'berschrift3'),
      paragraph('Fire', 'Heading1'),
      paragraph('Wood', 'Heading2'),
    ];
    expect(await read(body.join(''), oneList(levels), headings)).toBe(
      '# Chapter 1: Clay\n\n## 1.1 Red\n\n## 1.2 White\n\n### 1.2.A Kaolin\n\n# Chapter 2: Fire\n\n## 2.1 Wood\n',
    );
  });

  it('has none where its paragraph or a style based on its style takes it away', async () => {
    const body =
      styled('Preface', `<w:pStyle w:val="Heading1"/>${numberingLink('0')}`) +
      paragraph('Clay', 'Heading1') +
      paragraph('Index', 'Unnumbered');
    const styles = headings + style('Unnumbered', `${numberingLink('0')}<w:outlineLvl w:val="0"/>`, 'Back', 'Heading1');
    expect(await read(body, oneList(levels), styles)).toBe('# Preface\n\n# Chapter 1: Clay\n\n# Index\n');
  });

  it('is a heading by its outline level, unless it is as long as a clause', async () => {
    const styles =
      style('Part', '<w:outlineLvl w:val="0"/>') +
      style('SmallPart', '', 'Small part', 'Part') +
      style('Note', '<w:outlineLvl w:val="9"/>');
    const body = [
      paragraph('Clay', 'SmallPart'),
      styled('Red', '<w:outlineLvl w:val="1"/>'),
      paragraph('Deep', 'Heading8'),
      paragraph('Text', 'Note'),
      paragraph('long '.repeat(60), 'Part'),
    ];
    expect(await read(body.join(''), '', styles)).toBe(
      `# Clay\n\n## Red\n\n###### Deep\n\nText\n\n${'long '.repeat(60).trim()}\n`,
    );
  });

  it('counts a level that was left out, and begins with the start of each level', async () => {
    const start = (number: number): string => `<w:start w:val="${number}"/>`;
    const numbering = oneList([
      ['decimal', '%1', start(3)],
      ['decimal', '%1.%2', start(5)],
      ['decimal', '%1.%2.%3'],
    ]);
    const body = paragraph('a', 'berschrift3') + paragraph('b', 'Heading2') + paragraph('c', 'Heading1');
    expect(await read(body, numbering, headings)).toBe('### 3.5.1 a\n\n## 3.6 b\n\n# 4 c\n');
  });
});

describe('an item of a list that Word numbers', () => {
  it('has its own number where markdown has such numbers, and its label as text otherwise', async () => {
    const levels: readonly Level[] = [
      ['decimal', '%1.'],
      ['lowerLetter', '(%2)'],
      ['bullet', '\uf0b7'],
    ];
    const body = [item('one', '1'), item('a', '1', 1), item('b', '1', 1), item('dot', '1', 2), item('two', '1')];
    expect(await read(`${body.join('')}${paragraph('Text')}${item('three', '1')}`, oneList(levels))).toBe(
      '1. one\n    - (a) a\n    - (b) b\n        - dot\n2. two\n\nText\n\n3. three\n',
    );
  });

  it('begins a new list of markdown where its numbers begin anew', async () => {
    const numbering = abstract('1', levelsOf([['decimal', '%1.']])) + list('1', '1') + list('2', '1', restart(0, 1));
    const body = item('a', '1') + item('b', '1') + item('c', '2') + item('d', '2') + item('e', '1');
    expect(await read(body, numbering)).toBe('1. a\n2. b\n1) c\n2) d\n3) e\n');
  });

  it('begins with the number that replaces its start, and counts on from there', async () => {
    const numbering = abstract('1', levelsOf([['decimal', '%1.']])) + list('1', '1', restart(0, 3));
    expect(await read(item('a', '1') + item('b', '1') + item('c', '1'), numbering)).toBe('3. a\n4. b\n5. c\n');
  });

  it('holds the paragraphs whose bullet is a space', async () => {
    const levels: readonly Level[] = [
      ['decimal', '%1.'],
      ['bullet', '-'],
    ];
    const blank: readonly Level[] = [
      ['bullet', ' '],
      ['bullet', ' '],
    ];
    const numbering =
      abstract('1', levelsOf(levels)) + list('1', '1') + abstract('2', levelsOf(blank)) + list('2', '2');
    const body = [
      item('before', '2'),
      item('one', '1'),
      item('more of one', '2'),
      item('inner', '1', 1),
      item('more of inner', '2', 1),
      item('still one', '2'),
      item('two', '1'),
    ];
    expect(await read(body.join(''), numbering)).toBe(
      'before\n\n1. one\n\n    more of one\n    - inner\n\n        more of inner\n\n    still one\n2. two\n',
    );
  });

  it('has its checkbox, where that is its bullet', async () => {
    const box = (id: string, label: string): string => abstract(id, levelsOf([['bullet', label]])) + list(id, id);
    expect(await read(item('clay', '1') + item('glaze', '2'), box('1', '☐') + box('2', '☒'))).toBe(
      '- ☐ clay\n- ☒ glaze\n',
    );
  });

  it('continues a list with the same definition, and restarts as its levels say', async () => {
    const levels: readonly Level[] = [
      ['decimal', '%1.'],
      ['decimal', '%1-%2', '<w:lvlRestart w:val="0"/>'],
    ];
    const numbering = abstract('1', levelsOf(levels)) + list('1', '1') + list('2', '1');
    const body = item('a', '1') + item('b', '1', 1) + item('c', '2') + item('d', '2', 1);
    expect(await read(body, numbering)).toBe('1. a\n    - 1-1 b\n2. c\n    - 2-2 d\n');
  });

  it('is numbered by a style of numbering, and by the definition that a list replaces', async () => {
    const numbering =
      abstract('1', '<w:numStyleLink w:val="Linked"/>') +
      abstract('2', levelsOf([['upperRoman', 'Article %1']])) +
      list('1', '1') +
      list('2', '2') +
      list('3', '2', `<w:lvlOverride w:ilvl="0">${levelsOf([['decimalZero', '%1/']])}</w:lvlOverride>`);
    const styles = style('Linked', numberingLink('2'), 'Linked', '', 'numbering');
    expect(await read(item('a', '1') + item('b', '2') + item('c', '3'), numbering, styles)).toBe(
      '- Article I a\n- Article II b\n- 03/ c\n',
    );
  });

  it.each([
    ['ordinal', 23, '23rd'],
    ['lowerLetter', 28, 'bb'],
    ['lowerRoman', 1994, 'mcmxciv'],
    ['upperRoman', 4000, '4000'],
    ['chineseCounting', 15, '十五'],
    ['taiwaneseCountingThousand', 1206, '一千二百零六'],
    ['decimalEnclosedCircle', 3, '③'],
    ['unheardOf', 7, '7'],
  ])('is written in the format %s', async (format, start, text) => {
    const numbering = oneList([[format, '§%1', `<w:start w:val="${start}"/>`]]);
    expect(await read(item('x', '1'), numbering)).toBe(`- §${text} x\n`);
  });

  it('is written in digits only, if its level asks for that', async () => {
    const levels: readonly Level[] = [
      ['upperRoman', '%1:'],
      ['decimal', '%1.%2', '<w:isLgl/>'],
    ];
    expect(await read(item('a', '1') + item('b', '1', 1), oneList(levels))).toBe('- I: a\n    - 1.1 b\n');
  });

  it('is a paragraph if its level shows neither a number nor a bullet', async () => {
    expect(await read(item('a', '1') + item('b', '2'), oneList([['none', '']]))).toBe('a\n\nb\n');
  });

  it('is nested by what is open around it, also in cells, without empty items', async () => {
    const cell = `<w:tbl><w:tr><w:tc>${item('c', '1', 2)}${item('d', '1', 3)}</w:tc><w:tc>${paragraph('x')}</w:tc></w:tr></w:tbl>`;
    expect(await read(item('a', '1', 1) + item('b', '1', 2) + cell + item('e', '1', 1), oneList(legal))).toBe(
      '- 1.1 a\n    - (a) b\n\n| - (b) c<br>- I. d | x |\n| --- | --- |\n\n- 1.2 e\n',
    );
  });

  it('is nested by the built-in styles of lists, and by styles that are based on them', async () => {
    const definitions = ['1', '2', '3'].map(
      (id) => abstract(id, levelsOf([[id === '1' ? 'decimal' : 'bullet', '%1.']])) + list(id, id),
    );
    const styles =
      style('ListNumber', numberingLink('1'), 'List Number') +
      style('ListBullet2', numberingLink('2'), 'List Bullet 2') +
      style('ListBullet3', numberingLink('3'), 'List Bullet 3') +
      style('Own', '', 'Own', 'ListBullet2');
    const items = ['ListNumber', 'ListBullet2', 'ListBullet3', 'Own', 'ListNumber'];
    const body = items.map((name, index) => paragraph(`l${index}`, name)).join('');
    expect(await read(body, definitions.join(''), styles)).toBe('1. l0\n    - l1\n        - l2\n    - l3\n2. l4\n');
  });

  it('keeps nine levels', async () => {
    const levels = Array.from({ length: 9 }, (_, index): Level => ['bullet', String(index)]);
    const body = levels.map((_, index) => item(`l${index}`, '1', index)).join('');
    expect(await read(body, oneList(levels))).toBe(
      `${levels.map((_, index) => `${'    '.repeat(index)}- l${index}`).join('\n')}\n`,
    );
  });

  it('counts where it is empty, and not where it is deleted', async () => {
    const deleted = `<w:p><w:pPr>${numberingLink('1', 0)}<w:rPr><w:del/></w:rPr></w:pPr></w:p>`;
    const body = item('a', '1') + item('', '1') + deleted + item('c', '1');
    expect(await read(body, oneList([['decimal', '%1.']]))).toBe('1. a\n3) c\n');
  });

  it('has the numbers of its own text in a note', async () => {
    const notes = `<w:footnotes ${wordNamespace}><w:footnote w:id="2">${item('n', '1', 1)}</w:footnote></w:footnotes>`;
    const reference = `<w:p><w:r><w:t>Clay</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`;
    const parts = { numbering: numberingPart(oneList(legal)), footnotes: notes };
    const content = makeDocxWithParts(item('a', '1', 1) + reference, parts);
    const { markdown } = await scratch.run(extractor, 'a.docx', docxType, content);
    expect(markdown).toMatch(/^- 1\.1 a\n[^]*1\. {2}- 1\.1 n\n$/);
  });
});

describe('a damaged or hostile numbering', () => {
  it.each([
    ['that is missing', ''],
    ['whose styles refer to each other', abstract('1', '<w:numStyleLink w:val="Loop"/>') + list('1', '1')],
    ['without levels', abstract('1', '') + list('1', '1')],
    ['without its definition', list('1', '7')],
  ])('%s leaves the text', async (_, numbering) => {
    const styles = style('Loop', numberingLink('1'), 'Loop', '', 'numbering') + style('A', '', 'A', 'A');
    expect(await read(item('a', '1') + paragraph('b', 'A'), numbering, styles)).toBe('a\n\nb\n');
  });

  it('stays within bounds with endless labels and numbers', async () => {
    const start = '<w:start w:val="99999999999"/>';
    const numbering = oneList([['lowerLetter', '%1'.repeat(10_000), start]]);
    const markdown = await read(item('x', '1') + item('y', '1', 4_000_000), numbering);
    expect(markdown.length).toBeLessThan(300);
  });

  it('does not make markup of a label', async () => {
    const numbering = oneList([['decimal', '&lt;/w:t&gt;&quot;%1&amp;&lt;b&gt;']]);
    expect(await read(item('x', '1'), numbering)).toBe('- \\</w:t>"1&\\<b> x\n');
  });

  it('is not confused by a bookmark of the document', async () => {
    const bookmark = '<w:p><w:bookmarkStart w:name="list-number-7"/><w:r><w:t>x</w:t></w:r></w:p>';
    const content = makeDocx(bookmark + table([['a']]));
    expect((await scratch.run(extractor, 'a.docx', docxType, content)).markdown).toBe('x\n\na\n');
  });
});
