/** The languages of recognition and their data. Kiln ships some. Others lie in a directory of the operator. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** ISO 639-3, as Tesseract and franc name them. */
export const shippedLanguages = ['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld'] as const;

const packages = createRequire(import.meta.url);
const unpack = promisify(gunzip);

export function isShipped(language: string): boolean {
  return (shippedLanguages as readonly string[]).includes(language);
}

/** Whether a text may name a language, as `rus` and `chi_sim` do. Names become names of files, and must not lead out of their directory. */
export function isLanguageName(name: string): boolean {
  return /^[a-z][a-z\d_]{1,39}$/i.test(name);
}

/** The name of the file with the data of a language, as Tesseract and the packages of distributions write it. */
export function dataFile(directory: string, language: string): string {
  if (!isLanguageName(language)) throw new RangeError(`${language} is not the name of a language`);
  return join(directory, `${language}.traineddata`);
}

/** The files of the languages that are not shipped. */
export function dataFiles(directory: string | undefined, languages: readonly string[]): string[] {
  if (directory === undefined) return [];
  const installed = new Set(languages.filter((language) => !isShipped(language)));
  return Array.from(installed, (language) => dataFile(directory, language));
}

/** The data that Tesseract reads. Kiln ships the networks of `tessdata_best`, with integers as weights. */
export async function readLanguageData(language: string, directory: string | undefined): Promise<Uint8Array> {
  if (isShipped(language)) {
    const name = `${language}.traineddata.gz`;
    return unpack(await readFile(packages.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${name}`)));
  }
  if (directory === undefined) throw new RangeError(`there is no directory with the data of ${language}`);
  return readFile(dataFile(directory, language));
}
