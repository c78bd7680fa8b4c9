import { createLocalExtractor } from '@kiln/readers/local-extractor';
import { announceRecognizedPage, readSettings, serveExtractions } from './child-runtime.js';

const { limits, ocr } = readSettings();

await serveExtractions([createLocalExtractor(limits, { ...ocr, onPage: announceRecognizedPage })]);
