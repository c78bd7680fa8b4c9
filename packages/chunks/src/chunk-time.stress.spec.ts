import { describe, expect, it } from '@jest/globals';
import { chunk, type ChunkStrategy } from './chunk.js';

const strategies: readonly ChunkStrategy[] = ['recursive', 'markdown', 'sentence', 'fixed'];

describe('chunk', () => {
  const materials = ['Plain words in a sentence. ', 'x', '\n', ' ', '| a | b |\n', '# h\n', '😀', '.', '"', '```\n'];
  const combinations = strategies.flatMap((strategy) => materials.map((material) => [strategy, material] as const));
  it.each(combinations)('takes time proportional to the length of the text: %s, of %j', (strategy, material) => {
    const once = timeOf(material.repeat(Math.ceil(50_000 / material.length)), strategy);
    const eightTimes = timeOf(material.repeat(Math.ceil(400_000 / material.length)), strategy);
    // Quadratic work would take 64 times as long. The constant allows for a busy machine.
    expect(eightTimes).toBeLessThan(once * 24 + 300);
  });
});

/** Milliseconds of CPU time, which others on the machine do not lengthen as they do waiting. */
function timeOf(text: string, strategy: ChunkStrategy): number {
  const started = process.cpuUsage();
  const chunks = chunk(text, { strategy, chunkSize: 1000, chunkOverlap: 200 });
  while (chunks.next().done !== true);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}
