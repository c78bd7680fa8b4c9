import { createLocalExtractor } from '../engines/local-extractor.js';
import { readSettings, serveExtractions } from './child-runtime.js';

await serveExtractions([createLocalExtractor(readSettings().limits)]);
