import { useState } from 'react';
import { overlap, type Span } from '../lib/spans.js';
import { useChunks } from './use-chunks.js';

/** The further chunks of a long text are not loaded: they have no regions to choose, and their pages are not known. */
const CHUNKS_BESIDE_TEXT_MAX = 1_000;

interface LitChunksOptions {
  /** The index of the chosen chunk. */
  chosen: number | undefined;
  isText: boolean;
  isBesidePages: boolean;
}

/** The chunks that are lit on the pages. They overlap the selected text. Without a selection, the chosen chunk is lit. */
export function useLitChunks(fileId: string, { chosen, isText, isBesidePages }: LitChunksOptions) {
  const [selected, select] = useState<Span | null>(null);
  const { chunks } = useChunks(fileId, isText ? CHUNKS_BESIDE_TEXT_MAX - 1 : chosen, isBesidePages);
  const chunk = chunks.find(({ index }) => index === chosen);
  const isSelecting = isText && selected !== null;
  return {
    chunks,
    lit: isSelecting ? chunks.filter((one) => overlap(one, selected)) : chunk ? [chunk] : [],
    /** The part of the text that is lit. */
    span: isSelecting || !chunk ? null : chunk,
    select,
  };
}
