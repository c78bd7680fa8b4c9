import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (rtf: string): ReturnType<Scratch['run']> =>
  scratch.run(extractor, 'a.rtf', 'application/rtf', Buffer.from(rtf, 'latin1'));
const markdownOf = async (body: string): Promise<string> =>
  (await read(`{\\rtf1\\ansi\\ansicpg1252 ${body}}`)).markdown;

describe('Rich Text', () => {
  it('has its paragraphs, headings and emphasis, without what is hidden, deleted or repeated on each page', async () => {
    const styles = '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\*\\cs2 Strong;}}';
    const body =
      '{\\header Confidential\\par}{\\pard\\s1 Kilns\\par}\\pard {\\b hot} and {\\i\\strike not}{\\v hidden}{\\deleted gone}\\line next\\par{\\*\\unknown x}end';
    expect(await markdownOf(styles + body)).toBe('# Kilns\n\n**hot** and *~~not~~*\nnext\n\nend\n');
  });

  it('is read in the character sets of its document and of its fonts, and in Unicode', async () => {
    const fonts = '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset128 MS Gothic;}{\\f2\\fcharset204 Arial Cyr;}}';
    const body =
      "\\f0 Gr\\'fc\\'dfe \\'93x\\'94\\par\\f1 \\'93\\'63\\'92\\'86 \\'83e\\par\\f2 \\'cc\\'ee\\par\\uc1\\u9786?\\u-10179?\\u-8704? a\\par\\uc0\\u233 b";
    expect(await markdownOf(fonts + body)).toBe('Grüße “x”\n\n田中 テ\n\nМо\n\n☺😀 a\n\néb\n');
  });

  it('has no substitute of a Unicode character, whatever its form, and all of the text behind it', async () => {
    expect(await markdownOf("a\\u8217\\'92s\\u160\\~b \\u8211\\endash c\\endash d\\par")).toBe('a’s b –c–d\n');
  });

  it('has its lists with their levels, by the list table or by the text that stands for a number', async () => {
    const lists =
      "{\\*\\listtable{\\list{\\listlevel\\levelnfc0{\\leveltext\\'02\\'00.;}}{\\listlevel\\levelnfc23{\\leveltext\\'01\\u8226 ?;}}\\listid7}}{\\*\\listoverridetable{\\listoverride\\listid7\\ls1}}";
    const body =
      "\\pard\\ls1{\\listtext 1.}one\\par\\pard\\ls1\\ilvl1{\\listtext\\bullet}inner\\par\\pard\\ls1{\\listtext 2.}two\\par\\pard between\\par\\pard{\\pntext\\f1\\'b7\\tab}bullet\\par";
    expect(await markdownOf(lists + body)).toBe('1. one\n    - inner\n2. two\n\nbetween\n\n- bullet\n');
  });

  it('has the labels that its headings and items show', async () => {
    const styles = '{\\stylesheet{\\s1 heading 1;}}';
    const body =
      '{\\listtext 1.2\\tab}\\pard\\s1 Clay\\par\\pard{\\listtext (a)\\tab}red\\par{\\listtext (b)\\tab}white\\par\\pard end\\par';
    expect(await markdownOf(styles + body)).toBe('# 1.2 Clay\n\n- (a) red\n- (b) white\n\nend\n');
  });

  it('has its tables, with merged cells repeated', async () => {
    const row = (definitions: string, cells: readonly string[]): string =>
      `\\trowd${definitions}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row\n`;
    const body =
      `before\\par ${row('\\clmgf\\cellx1\\clmrg\\cellx2', ['wide', ''])}${row('\\clvmgf\\cellx1\\cellx2', ['tall', 'a | b'])}` +
      `${row('\\clvmrg\\cellx1\\cellx2', ['', 'c\\par d'])}\\pard after\\par`;
    expect(await markdownOf(body)).toBe(
      'before\n\n| wide | wide |\n| --- | --- |\n| tall | a \\| b |\n| tall | c<br>d |\n\nafter\n',
    );
  });

  it('keeps links and notes', async () => {
    const body =
      'See {\\field{\\*\\fldinst HYPERLINK "https://a.example/"}{\\fldrslt {\\ul this}}}{\\footnote {\\chftn} A note.} and {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}.\\par';
    expect(await markdownOf(body)).toBe(
      'See [this](https://a.example/) \\[1\\] and 7.\n\n**Notes**\n\n- \\[1\\] A note.\n',
    );
  });

  it('keeps notes that are marked as optional, as Pandoc marks them', async () => {
    expect(await markdownOf('Clay{\\super\\chftn}{\\*\\footnote\\chftn Wet.} is red.\\par')).toBe(
      'Clay \\[1\\] is red.\n\n**Notes**\n\n- \\[1\\] Wet.\n',
    );
  });

  it('keeps comments as notes', async () => {
    const body =
      'Clay{\\*\\atnid AL}{\\*\\atnauthor Ada}\\chatn{\\*\\annotation{\\*\\atndate 1}{\\chatn }Wet?} is red.\\par';
    expect(await markdownOf(body)).toBe('Clay \\[1\\] is red.\n\n**Notes**\n\n- \\[1\\] Wet?\n');
  });

  it('has the properties that it states', async () => {
    const { metadata, pageCount } = await read(
      "{\\rtf1\\ansi{\\info{\\title Kilns & cl\\'e4y}{\\author Ada}{\\creatim\\yr2024\\mo9\\dy6\\hr1}}x}",
    );
    expect([metadata.title, metadata.author, metadata['created'], pageCount]).toStrictEqual([
      'Kilns & cläy',
      'Ada',
      '2024-09-06',
      null,
    ]);
  });

  it('leaves out pictures and binary data', async () => {
    expect(await markdownOf('a{\\pict\\pngblip 89504e47}{\\object{\\objdata 00}}\\bin3 {}{b')).toBe('ab\n');
  });

  it('that is something else is corrupt, and one nested too deeply is refused', async () => {
    await expect(read('just words')).rejects.toMatchObject({ code: 'corrupt_file', retryable: false });
    await expect(read(`{\\rtf1 ${'{'.repeat(2000)}`)).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('that is cut off is read as far as it goes', async () => {
    expect(await markdownOf('one\\par two\\trowd\\cellx1\\intbl three')).toBe('one\n\ntwothree\n');
  });
});
