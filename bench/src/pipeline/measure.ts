// Uploads documents over a number of connections, waits for the webhook of each, and returns times and CPU use.
import { Client } from 'undici';
import { cpuSeconds } from '../process-tree.js';
import type { Deliveries } from './deliveries.js';
import type { BenchDocument } from './documents.js';

export interface Side {
  url: string;
  authorization: string;
  /** The processes whose CPU time counts, including their children. */
  pids: readonly number[];
  deliveries: Deliveries;
}

export interface Uploaded {
  id: string;
  document: BenchDocument;
  sentAt: number;
  answeredAt: number;
}

export interface Measured {
  files: number;
  filesPerSecond: number;
  uploadsPerSecond: number;
  cpuMsPerFile: number;
  /** From the first byte of the upload to the arrival of the webhook. */
  p50Ms: number;
  p99Ms: number;
}

const BOUNDARY = 'kiln-bench-boundary';

function bodyOf({ filename, contentType, bytes }: BenchDocument): Buffer {
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n` +
    `Content-Type: ${contentType}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** Uploads all documents, `connections` at a time. */
export async function uploadAll(side: Side, documents: readonly BenchDocument[], connections: number) {
  const uploaded: Uploaded[] = [];
  const left = [...documents];
  const headers = { authorization: side.authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const sender = async (): Promise<void> => {
    const client = new Client(side.url);
    for (let document = left.shift(); document; document = left.shift()) {
      const body = bodyOf(document);
      const sentAt = performance.now();
      const answer = await client.request({ path: '/v1/upload', method: 'POST', headers, body });
      if (answer.statusCode !== 201)
        throw new Error(`upload answered ${answer.statusCode}: ${await answer.body.text()}`);
      const { id } = (await answer.body.json()) as { id: string };
      uploaded.push({ id, document, sentAt, answeredAt: performance.now() });
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, sender));
  return uploaded;
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** From the first upload to the last webhook. */
export async function measure(side: Side, documents: readonly BenchDocument[], connections: number): Promise<Measured> {
  const cpuBefore = cpuSeconds(side.pids);
  const startedAt = performance.now();
  const uploaded = await uploadAll(side, documents, connections);
  const uploadSeconds = (performance.now() - startedAt) / 1_000;
  const arrivals = await Promise.all(uploaded.map(({ id }) => side.deliveries.arrival(id)));
  const seconds = (Math.max(...arrivals) - startedAt) / 1_000;
  const took = uploaded.map(({ sentAt }, index) => (arrivals[index] ?? Number.NaN) - sentAt);
  return {
    files: uploaded.length,
    filesPerSecond: uploaded.length / seconds,
    uploadsPerSecond: uploaded.length / uploadSeconds,
    cpuMsPerFile: ((cpuSeconds(side.pids) - cpuBefore) * 1_000) / uploaded.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
  };
}
