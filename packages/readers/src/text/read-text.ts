import { readFile } from 'node:fs/promises';
import { charsetOf } from '@kiln/file-types/content-type';
import { decodeText } from '../charset/decode-text.js';
import type { EngineInput } from '../engine.js';

export async function readText(input: EngineInput): Promise<{ text: string; encoding: string }> {
  return decodeText(await readFile(input.path), charsetOf(input.contentType));
}
