/** One instance of Tesseract for all documents of the process. It holds the data of one language at a time. */
import type { GreyBitmap } from './grey-bitmap.js';
import type { PixelBox } from './letter-shapes.js';
import { readLanguageData } from './ocr-languages.js';
import { type RecognizedLine, recognizedLines } from './recognized-words.js';
import { openTesseract, type TesseractApi, type TesseractCore } from './tesseract-core.js';

const dataDirectory = '/';
const picturePath = '/input';
const lstm = 1;
/** Modes of segmentation (Tesseract's `PageSegMode`). */
const [wholePage, oneLine] = [3, 7];

let opened: Promise<Tesseract> | null = null;

export class Tesseract {
  private language: string | null = null;

  private constructor(
    private readonly core: TesseractCore,
    private readonly api: TesseractApi,
  ) {}

  /** The instance of this process. Loaded on first use. */
  static open(): Promise<Tesseract> {
    opened ??= openTesseract().then((core) => new Tesseract(core, new core.TessBaseAPI()));
    return opened;
  }

  /** Loads the module anew for the next document. After a fault, its memory may be broken. */
  static discard(): void {
    opened = null;
  }

  /** `directory` holds the data of languages that are not shipped. */
  async use(language: string, directory: string | undefined): Promise<void> {
    if (this.language === language) return;
    const path = `${dataDirectory}${language}.traineddata`;
    this.core.FS.writeFile(path, await readLanguageData(language, directory));
    // If data cannot be loaded, the data before are gone, too.
    this.language = null;
    const status = this.api.Init(dataDirectory, language, lstm);
    // The instance has its own copy.
    this.core.FS.unlink(path);
    if (status !== 0) throw new Error(`Tesseract could not load its data of ${language}`);
    this.language = language;
  }

  /** The lines of a picture, in Tesseract's own order. */
  readPage(bitmap: GreyBitmap): RecognizedLine[] {
    const { width, height, pixels } = bitmap;
    const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
    this.core.FS.writeFile(picturePath, Buffer.concat([head, pixels]));
    const status = this.api.SetImageFile(0, 0);
    this.core.FS.unlink(picturePath);
    if (status !== 0) throw new Error('Tesseract could not read a picture');
    return this.recognize(wholePage);
  }

  /** The words in a box of the last page, read as one line. */
  readLine({ left, top, right, bottom }: PixelBox): RecognizedLine[] {
    this.api.SetRectangle(left, top, right - left, bottom - top);
    return this.recognize(oneLine);
  }

  /** Forgets the last page. */
  clear(): void {
    this.api.Clear();
  }

  private recognize(mode: number): RecognizedLine[] {
    this.api.SetPageSegMode(mode);
    if (this.api.Recognize(null) !== 0) throw new Error('Tesseract could not recognize a picture');
    return recognizedLines(this.api.GetJSONText(0));
  }
}
