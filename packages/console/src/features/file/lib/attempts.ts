// The steps of a job by attempt.
import type { Schemas } from '@kiln/sdk';

export type TimelineEntry = Schemas['TimelineEntry'];

export interface Attempt {
  /** From 1. */
  number: number;
  steps: readonly TimelineEntry[];
}

/** The latest attempt first, its steps in the order in which they started. */
export function attemptsOf(timeline: readonly TimelineEntry[]): readonly Attempt[] {
  const numbers = [...new Set(timeline.map(({ attempt }) => attempt))].sort((one, other) => other - one);
  return numbers.map((number) => ({ number, steps: timeline.filter(({ attempt }) => attempt === number) }));
}

export const stepNames: Readonly<Record<string, string>> = {
  extract: 'Read the document',
  metadata: 'Store the properties',
  thumbnails: 'Draw thumbnails',
  embed: 'Compute embeddings',
  index: 'Add to the search index',
  finish: 'Finish',
};

export const engineNames: Readonly<Record<string, string>> = {
  document_extractor: 'Document extractor',
  image_extractor: 'Image extractor',
  audio_extractor: 'Audio extractor',
};

/** `420 ms`, `1.2 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}
