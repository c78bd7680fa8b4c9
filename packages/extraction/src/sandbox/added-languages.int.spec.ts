/** @slow */
// Real: pdfium, Tesseract with Greek data from a directory, and the sandbox, in the strongest isolation that the machine permits and in none.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalExtractor } from '@kiln/readers/local-extractor';
import { type Face, PdfDrawing } from '@kiln/pdf/fixtures/draw-pdf';
import { installGreek } from '@kiln/ocr/fixtures/language-data';
import { scannedPdf, scanOf } from '@kiln/ocr/fixtures/make-scan';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { defaultLimits } from '@kiln/readers/limits';
import { findIsolation, type IsolationLevel } from './isolation.js';
import { createSandboxOf } from './sandbox.js';
import { problemOfLanguageData } from '@kiln/ocr/language-data-check';
import type { OcrSettings } from '@kiln/ocr/ocr-settings';

const child = new URL('./child.js', import.meta.url);
const { level: strongest } = await findIsolation(child, tmpdir());
const levels = [...new Set<IsolationLevel>([strongest, 'process_only'])];
const languages: OcrSettings['languages'] = ['eng', 'ell'];
const greek =
  'Ο φουρνος θερμαινεται αργα, γιατι ο υγρος πηλος ραγιζει οταν στεγνωνει γρηγορα. Το βραδυ ο κεραμιστης κλεινει την πορτα ' +
  'και αφηνει τη φωτια να σβησει μονη της. Το πρωι ανοιγει την πορτα και βγαζει τα πιατα ενα προς ενα.';
const english =
  'The kiln is heated slowly, because wet clay cracks when it dries too fast. In the evening the potter closes the door and lets ' +
  'the fire go out. In the morning the door is opened again, and the plates are taken out one after the other.';

let scratch: Scratch;
let scans: { greek: Buffer; english: Buffer };
let dataDirectory: string;

async function scanOfText(text: string, face: Face): Promise<Buffer> {
  const drawing = await PdfDrawing.start([340, 160]);
  drawing.paragraph(30, 40, 280, text, { face, size: 11 });
  return scanOf(await drawing.save());
}

/** How many of the words of a text were read, whatever stands between them. */
function shareOfWords(read: string, text: string): number {
  const found = new Set(read.match(/\p{L}+/gu));
  const wanted = text.match(/\p{L}+/gu) ?? [];
  return wanted.filter((word) => found.has(word)).length / wanted.length;
}

const readPdf = async (pages: readonly Buffer[], ocr: OcrSettings) => {
  const extractor = createLocalExtractor(defaultLimits, ocr);
  const output = await scratch.run(extractor, 'scan.pdf', 'application/pdf', await scannedPdf(pages));
  return { ...output, texts: output.pages?.map(({ start, end }) => output.markdown.slice(start, end)) ?? [] };
};

beforeAll(async () => {
  scratch = await Scratch.make();
  scans = { greek: await scanOfText(greek, 'greek'), english: await scanOfText(english, 'text') };
});
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(scratch.path, 'data-'));
});
afterEach(() => rm(dataDirectory, { recursive: true }));
afterAll(() => scratch.remove());

describe('a scan in the script of a language that an operator has added', () => {
  it('is read in it although English is the first language; this is tried on the first of its pages only', async () => {
    const data = await installGreek(dataDirectory);
    // Whoever changes to English and back needs the file again.
    const onPage = () => void rm(data, { force: true });
    const { texts, metadata } = await readPdf([scans.greek, scans.greek, scans.greek], {
      languages,
      dataDirectory,
      onPage,
    });
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(shareOfWords(text, greek)).toBeGreaterThan(0.8);
    expect(metadata).toMatchObject({ ocr_pages: 3, language: 'el' });
  });

  it('may follow pages in another script, and be followed by them', async () => {
    await installGreek(dataDirectory);
    const { texts } = await readPdf([scans.english, scans.greek, scans.english], { languages, dataDirectory });
    expect(shareOfWords(texts[0] ?? '', english)).toBeGreaterThan(0.9);
    expect(shareOfWords(texts[1] ?? '', greek)).toBeGreaterThan(0.8);
    expect(shareOfWords(texts[2] ?? '', english)).toBeGreaterThan(0.9);
  });

  it.each(levels)('is read from an image in a sandbox with %s, which shows its child the data', async (level) => {
    await installGreek(dataDirectory);
    const sandbox = createSandboxOf(
      { processes: 1, isolation: 'preferred', ocrLanguages: languages, ocrDataDirectory: dataDirectory },
      child,
      () => true,
      () => Promise.resolve({ level, reason: null }),
    );
    try {
      const { markdown, metadata } = await scratch.run(sandbox, 'scan.png', 'image/png', scans.greek);
      expect(shareOfWords(markdown, greek)).toBeGreaterThan(0.8);
      expect(metadata).toMatchObject({ language: 'el', ocr_pages: 1 });
    } finally {
      await sandbox.close();
    }
  });
});

describe('an English scan', () => {
  it('is read as before, without loading the data of a language of another script', async () => {
    await writeFile(join(dataDirectory, 'ell.traineddata'), 'These are no data.');
    const { markdown, metadata } = await readPdf([scans.english], { languages, dataDirectory });
    expect(shareOfWords(markdown, english)).toBeGreaterThan(0.9);
    expect(metadata).toMatchObject({ ocr_pages: 1, language: 'en' });
    // It would have failed: a page that shows Greek does.
    const failed = await readPdf([scans.greek], { languages, dataDirectory });
    expect(failed.metadata).toMatchObject({ ocr_pages_left_out: 1 });
  });
});

describe('data of a language', () => {
  it('are what Tesseract 4 and 5 read; anything else is named before a document needs it', async () => {
    const path = await installGreek(dataDirectory);
    expect(problemOfLanguageData(path)).toBeNull();
    const wrong = join(dataDirectory, 'rus.traineddata');
    expect(problemOfLanguageData(wrong)).toBe('does not exist');
    for (const content of ['', '<!DOCTYPE html>', 'x'.repeat(1000)]) {
      await writeFile(wrong, content);
      expect(problemOfLanguageData(wrong)).toMatch(/damaged/);
    }
    expect(problemOfLanguageData(dataDirectory)).not.toBeNull();
  });
});
