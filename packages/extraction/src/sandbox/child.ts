import { createLocalExtractor } from '../engines/local-extractor.js';
import { readSettings, serveExtractions } from './child-runtime.js';

serveExtractions([createLocalExtractor(readSettings().limits)]);
