/**
 * Tesseract's WebAssembly build, as far as it is used here (https://github.com/naptha/tesseract.js-core, and Tesseract's
 * baseapi.h). It runs in the calling process: it starts no program, and reads no file but those in its own memory.
 */
import { createRequire } from 'node:module';

export interface TesseractCore {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TesseractApi;
}

export interface TesseractApi {
  /** `engine` 1 is the LSTM. Returns 0, or -1 for a fault. */
  Init(dataDirectory: string, languages: string, engine: number): number;
  SetVariable(name: string, value: string): number;
  SetPageSegMode(mode: number): void;
  /** Reads the file `/input`. The arguments are the orientation and the angle of its rotation. Returns 0, or 1 for a fault. */
  SetImageFile(exif: number, angle: number): number;
  SetRectangle(left: number, top: number, width: number, height: number): void;
  Recognize(monitor: null): number;
  GetJSONText(page: number): string;
  Clear(): void;
}

type Factory = (settings: { print: () => void; printErr: () => void }) => Promise<TesseractCore>;

const packages = createRequire(import.meta.url);

/** The build with only the LSTM, for processors with SIMD. */
export function openTesseract(): Promise<TesseractCore> {
  const factory = packages('tesseract.js-core/tesseract-core-simd-lstm.js') as Factory;
  return factory({ print: () => undefined, printErr: () => undefined });
}
