import { createLocalExtractor } from '@kiln/readers/local-extractor';
import { AnswerReader } from '../remote/answer-reader.js';
import { announceRecognizedPage, readSettings, serveExtractions } from './child-runtime.js';

const { limits, ocr } = readSettings();

await serveExtractions([
  createLocalExtractor(limits, { ...ocr, onPage: announceRecognizedPage }),
  new AnswerReader(limits.outputBytesMax),
]);
