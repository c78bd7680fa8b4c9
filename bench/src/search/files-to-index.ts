// Files as the jobs service gives them to be indexed: a title and three chunks of 100 words, by Zipf's law.
import { encodeId, type FileToIndex } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { randomTerm } from './generated-files.js';

export const CHUNKS = 3;
const WORDS = 100;

export function fileOf(random: () => number, number: number, id = uuidv7()): FileToIndex {
  const words = (count: number) => Array.from({ length: count }, () => randomTerm(random)).join(' ');
  const texts = Array.from({ length: CHUNKS }, () => words(WORDS));
  return {
    file_id: encodeId('file', id),
    job_id: encodeId('job', uuidv7()),
    job_number: 1,
    fence: 1,
    space: 'main',
    filename: `file${number}.md`,
    title: words(5),
    content_type: 'text/markdown',
    metadata: {},
    language: 'english',
    chunks: texts.map((text, index) => ({
      index,
      text,
      start: 0,
      end: text.length,
      page: null,
      heading_path: ['One'],
    })),
    chunks_key: null,
  };
}
