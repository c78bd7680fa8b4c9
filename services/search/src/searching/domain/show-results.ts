// Shows what a search found: each chunk with its place, its file, and the words of the query in it.
import { encodeId, fittingItems, type FileDetails, type SearchResult } from '@kiln/contracts';
import { EventLoopBudget } from '@kiln/platform';
import { regionsOfChunk } from '../../text-index/regions.domain.js';
import type { FoundContent } from '../../text-index/indexed-text.domain.js';
import { fitTexts, jsonBytes } from './fit-texts.js';
import type { Found, FoundChunk } from './found.js';
import { SnippetMaker, type Shown } from './snippet.js';

type ShownChunk = FoundChunk & { content: FoundContent };
type Untexted = Omit<SearchResult, 'chunk_text' | 'chunk_text_truncated'>;

const DETAIL_BYTES_MAX = 300_000;
/** The limit for all fields but texts, so that texts have room in a message of the bus. */
const FIELDS_BYTES_MAX = 700_000;

/** The longest metadata that a result shows, so that all of them fit. */
export const metadataBytesMax = (results: number) =>
  Math.min(65_536, Math.floor(DETAIL_BYTES_MAX / 2 / Math.max(results, 1)));

/** Chunks whose text is gone are left out, and the last results if all do not fit into a message. Files without details are shown without them. */
export async function showResults(
  { terms, weights }: Pick<Found, 'terms' | 'weights'>,
  chunks: readonly FoundChunk[],
  details: ReadonlyMap<string, FileDetails>,
): Promise<SearchResult[]> {
  const shown = chunks.filter((chunk): chunk is ShownChunk => chunk.content !== null);
  const maker = new SnippetMaker(terms, weights);
  const budget = new EventLoopBudget();
  const untexted: Untexted[] = [];
  for (const chunk of shown) {
    if (budget.isSpent) await budget.renew();
    const { text, language } = chunk.content;
    untexted.push(resultOf(chunk, maker.make(text, language), details.get(chunk.fileId) ?? null));
  }
  const results = fitDetails(untexted);
  const texts = fitTexts(
    shown.map(({ content }) => content.text),
    results,
  );
  const whole = results.map((result, position) => {
    const text = texts[position] as (typeof texts)[number];
    if (!text.chunk_text_truncated) return { ...result, ...text };
    const highlights = result.highlights?.filter(({ end }) => end <= text.chunk_text.length);
    return { ...result, ...text, highlights };
  });
  return fittingItems(whole);
}

function resultOf(
  { fileId, chunk, score, scores, content }: ShownChunk,
  { snippet, highlights }: Shown,
  details: FileDetails | null,
): Untexted {
  const { start, end, page, headings } = content;
  const regions = regionsOfChunk(content);
  const place = { chunk_index: chunk, start, end, page, regions, headings: [...headings] };
  const file = details === null ? {} : fileOf(details);
  return { file_id: encodeId('file', fileId), score, scores, snippet, highlights, ...place, ...file };
}

function fileOf({ filename, space, content_type, external_id, metadata, created_at }: FileDetails): Partial<Untexted> {
  const file = { filename, space, content_type, external_id, created_at };
  return metadata === null ? { ...file, omitted: ['metadata'] } : { ...file, metadata };
}

/** Unusually long details are left out. */
function fitDetails(results: readonly Untexted[]): readonly Untexted[] {
  const bytes = results.reduce(
    (sum, { headings, highlights, metadata, regions }) => sum + jsonBytes([headings, highlights, metadata, regions]),
    0,
  );
  if (bytes <= DETAIL_BYTES_MAX && jsonBytes(results) <= FIELDS_BYTES_MAX) return results;
  return results.map(
    ({ headings: _headings, highlights: _highlights, metadata: _metadata, regions: _regions, ...result }) => ({
      ...result,
      omitted: ['headings', 'highlights', 'metadata', 'regions'],
    }),
  );
}
