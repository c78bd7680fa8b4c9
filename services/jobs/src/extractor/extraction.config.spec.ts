import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@kiln/platform';
import { z } from 'zod';
import { checkOcrData } from './check-ocr-data.service.js';
import { extractionVariables } from './extraction.config.js';

const schema = z
  .object({ ...extractionVariables, KILN_EXTRACTOR_URL: z.string().optional() })
  .superRefine(checkOcrData);
const load = (variables: Record<string, string>) => loadConfig(schema, variables);
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kiln-ocr-data-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A file as Tesseract 5 begins it: where its 24 parts are. */
function putData(language: string): void {
  const head = Buffer.alloc(400);
  head.writeUInt32LE(24);
  for (let part = 0; part < 24; part++) head.writeBigInt64LE(196n + BigInt(part), 4 + part * 8);
  writeFileSync(join(directory, `${language}.traineddata`), head, { mode: 0o644 });
}

it('takes the languages of recognition in their order, and refuses what names none', () => {
  expect(load({ KILN_OCR_LANGUAGES: 'deu, eng' }).KILN_OCR_LANGUAGES).toStrictEqual(['deu', 'eng']);
  expect(load({}).KILN_OCR_LANGUAGES[0]).toBe('eng');
  for (const wrong of ['eng,', ',eng', 'eng,../eng', 'eng,script/Greek', 'eng,e\0'])
    expect(() => load({ KILN_OCR_LANGUAGES: wrong, KILN_OCR_DATA_DIR: directory })).toThrow(
      /KILN_OCR_LANGUAGES\[\d\] names .* write languages as Tesseract does/,
    );
});

it('takes languages whose data lie in the directory beside those that are shipped', () => {
  putData('rus');
  putData('chi_sim');
  const { KILN_OCR_LANGUAGES } = load({ KILN_OCR_LANGUAGES: 'rus,eng,chi_sim', KILN_OCR_DATA_DIR: directory });
  expect(KILN_OCR_LANGUAGES).toStrictEqual(['rus', 'eng', 'chi_sim']);
});

it('refuses a language without data with the file that is missing and what can be done', () => {
  const message = (variables: Record<string, string>): string => {
    try {
      load(variables);
      return 'not refused';
    } catch (error) {
      return String(error);
    }
  };
  expect(message({ KILN_OCR_LANGUAGES: 'eng,jpn' })).toMatch(
    /KILN_OCR_LANGUAGES names jpn, .*Set KILN_OCR_DATA_DIR to a directory with jpn\.traineddata, or remove jpn/,
  );
  const both = message({ KILN_OCR_LANGUAGES: 'eng,chi_tra,jpn', KILN_OCR_DATA_DIR: directory });
  expect(both).toContain(`names chi_tra, but ${directory}/chi_tra.traineddata does not exist`);
  expect(both).toContain('tesseract-ocr-chi-tra');
  expect(both).toContain('names jpn');
  writeFileSync(join(directory, 'heb.traineddata'), '<!DOCTYPE html>');
  expect(message({ KILN_OCR_LANGUAGES: 'heb', KILN_OCR_DATA_DIR: directory })).toMatch(/heb\.traineddata is damaged/);
});

it('refuses a directory that does not exist, even if no language needs it', () => {
  expect(() => load({ KILN_OCR_DATA_DIR: join(directory, 'none') })).toThrow(
    /KILN_OCR_DATA_DIR names .*none, which is no directory.* Mount it, correct the path, or unset the variable/,
  );
  expect(() => load({ KILN_OCR_DATA_DIR: 'tessdata' })).toThrow(/KILN_OCR_DATA_DIR must be an absolute path/);
});

it('leaves the data to the extractors, if a worker has some', () => {
  const variables = { KILN_OCR_LANGUAGES: 'jpn', KILN_EXTRACTOR_URL: 'http://extractor:9200' };
  expect(load(variables).KILN_OCR_LANGUAGES).toStrictEqual(['jpn']);
});
