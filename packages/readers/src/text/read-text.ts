import { readFile } from 'node:fs/promises';
import { charsetOf } from '../content-type.js';
import { decodeText } from '../charset/decode-text.js';
import type { EngineInput } from '../engine.js';

export async function readText(input: EngineInput): Promise<{ text: string; encoding: string }> {
  return decodeText(await readFile(input.path), charsetOf(input.contentType));
}
