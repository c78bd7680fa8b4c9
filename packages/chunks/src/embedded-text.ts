import type { Chunk } from './chunk.js';

/** The text of a chunk as it is embedded. Rows of a table mean little without their header. */
export const embeddedText = ({ prefix, text }: Pick<Chunk, 'prefix' | 'text'>): string =>
  prefix === undefined ? text : `${prefix}\n${text}`;
