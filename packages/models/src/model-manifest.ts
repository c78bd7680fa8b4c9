/** A folder of a model, and `kiln-model.json` in it: what the model is, and the checksums of its files. */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

export const MANIFEST_NAME = 'kiln-model.json';
export const MODEL_KINDS = ['embedding', 'reranking'] as const;

export type ModelKind = (typeof MODEL_KINDS)[number];

/** Also the name of the folder. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const manifestSchema = z.object({
  name: z.string().regex(MODEL_NAME),
  kind: z.enum(MODEL_KINDS),
  /** The ONNX graph. */
  graph: z.string(),
  /** Longer texts are cut. */
  tokensMax: z.int().min(8).max(32_768),
  /** SHA-256 of each file, by its path in the folder. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});

export type ModelManifest = z.output<typeof manifestSchema>;

/** @throws an Error that says what is wrong with the manifest. */
export function readManifest(folder: string): ModelManifest {
  const path = join(folder, MANIFEST_NAME);
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`${path} cannot be read. Add the model again with: npm run kiln -- models add. ${reason}`, {
      cause: error,
    });
  }
}

/** @throws an Error that names the first file that is missing or differs from its checksum. */
export async function verifyFiles(folder: string, { files }: Pick<ModelManifest, 'files'>): Promise<void> {
  for (const [path, expected] of Object.entries(files)) {
    if ((await sha256Of(join(folder, path))) === expected) continue;
    throw new Error(`${join(folder, path)} differs from its checksum. Add the model again.`);
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
