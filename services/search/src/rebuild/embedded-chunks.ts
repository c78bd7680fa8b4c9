// The variant `embeddings`, read line by line: after the first line, each has one chunk. So the numbers of one chunk are in memory as text.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';

export interface EmbeddedChunks {
  model: string;
  dimensions: number;
  chunks: EmbeddedChunk[];
}

export interface EmbeddedChunk {
  start: number;
  end: number;
  /** As base64 of Float32, little-endian. */
  vector: string;
}

const headSchema = z.object({ model: z.string(), dimensions: z.int().min(0) });
const chunkSchema = z.object({ start: z.int(), end: z.int(), embedding: z.array(z.number()) });

export async function readEmbeddedChunks(content: string | Readable): Promise<EmbeddedChunks> {
  const input = typeof content === 'string' ? Readable.from([content]) : content;
  const lines = createInterface({ input, crlfDelay: Infinity });
  let head: z.output<typeof headSchema> | null = null;
  const chunks: EmbeddedChunk[] = [];
  for await (const line of lines) {
    if (head === null) {
      head = headSchema.parse(JSON.parse(`${line}]}`));
    } else if (line.startsWith('{')) {
      const { start, end, embedding } = chunkSchema.parse(JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line));
      chunks.push({ start, end, vector: Buffer.from(Float32Array.from(embedding).buffer).toString('base64') });
    }
  }
  if (head === null) throw new Error('The variant embeddings is empty.');
  return { ...head, chunks };
}
