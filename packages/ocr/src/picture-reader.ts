/** Reads the pictures of one document. Remembers its language and the rotation of its pages. */
import { detectLanguage } from './detect-language.js';
import type { GreyBitmap } from './grey-bitmap.js';
import { codeOf, firstOfOtherScripts } from './language-scripts.js';
import type { OcrSettings } from './ocr-settings.js';
import { RecognitionFault } from './recognition-fault.js';
import { type PictureReading, recognizePicture, type RecognizedPicture, type Rotation } from './recognize-picture.js';
import type { RecognizedLine } from './recognized-words.js';
import { Tesseract } from './tesseract.js';
import { lettersOf, sureLetters } from './trusted-lines.js';

/** Shorter text does not show its language. */
const lettersMin = 120;
/** If a smaller share is sure, the picture may be in another script. */
const sureShareMin = 0.6;

interface ReadingIn extends PictureReading {
  language: string;
}

type ReadIn = (language: string) => Promise<ReadingIn>;

export class PictureReader {
  private language: string;
  private rotation: Rotation = 0;

  constructor(private readonly ocr: Pick<OcrSettings, 'languages' | 'dataDirectory'>) {
    [this.language] = ocr.languages;
  }

  /** `dotsPerInch` may be an estimate. @throws RecognitionFault */
  async read(picture: GreyBitmap, dotsPerInch: number): Promise<RecognizedPicture> {
    const { languages, dataDirectory } = this.ocr;
    const tesseract = await Tesseract.open();
    await tesseract.use(this.language, dataDirectory);
    const readIn: ReadIn = async (language) => {
      await tesseract.use(language, dataDirectory);
      return { language, ...recognizePicture(tesseract, picture, dotsPerInch, this.rotation) };
    };
    try {
      const first = await this.readInScript(readIn);
      if (sureLetters(first.lines) > 0) this.rotation = first.rotation;
      const other = languageOf(first.lines, languages, first.language);
      if (other === first.language) return first;
      const second = await readIn(other);
      if (sureLetters(second.lines) < sureLetters(first.lines)) return first;
      this.language = other;
      return second;
    } catch (cause) {
      Tesseract.discard();
      throw new RecognitionFault('recognition failed on a picture', { cause });
    }
  }

  /** Reads in the language of the document. If less is sure, reads in a language of another script. */
  private async readInScript(readIn: ReadIn): Promise<ReadingIn> {
    let best = await readIn(this.language);
    if (best.sureShare >= sureShareMin) return best;
    for (const language of firstOfOtherScripts(this.ocr.languages, this.language)) {
      const reading = await readIn(language);
      if (sureLetters(reading.lines) > sureLetters(best.lines)) best = reading;
    }
    // An unsure reading, as of a photograph, does not decide the language of later pages.
    if (best.sureShare >= sureShareMin) this.language = best.language;
    return best;
  }
}

/** The language of the lines, if `languages` has it. Otherwise `current`. */
export function languageOf(lines: readonly RecognizedLine[], languages: readonly string[], current: string): string {
  if (languages.length === 1) return current;
  const words = lines.flatMap((line) => line.words);
  if (words.reduce((sum, word) => sum + lettersOf(word), 0) < lettersMin) return current;
  const found = detectLanguage(words.map(({ text }) => text).join(' '));
  // Several names can share a code: `chi_sim`, `chi_tra`.
  if (found === codeOf(current)) return current;
  return languages.find((language) => codeOf(language) === found) ?? current;
}
