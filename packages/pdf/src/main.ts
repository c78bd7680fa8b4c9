#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { printMarkdown } from './print-markdown.js';
import { readPdf } from './read-pdf.js';

await printMarkdown(async (path, filename) => (await readPdf(await readFile(path), { filename })).markdown);
