import { LoadMore } from '../../../ui/load-more.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { Notice } from '../../../ui/view-states.js';
import { useChunks } from '../hooks/use-chunks.js';
import type { Chunk, FileDetail } from '../queries.js';

interface ChunksPanelProps {
  file: FileDetail;
  selected: number | undefined;
  onSelect: (chunk: Chunk) => void;
}

/** The parts of the text that searches find. */
export function ChunksPanel({ file, selected, onSelect }: ChunksPanelProps) {
  const { chunks, ...query } = useChunks(file.id, selected);
  const { data, error, refetch } = query;
  if (!data) return <NotLoaded error={error} refetch={refetch} rows={12} label="Loading the chunks" />;
  if (chunks.length === 0) {
    return (
      <Notice icon="file" title="No chunks">
        {file.status === 'processing'
          ? 'They appear when the file is processed.'
          : 'The file has no variant searchable-index. Reprocess it with this variant to make it searchable.'}
      </Notice>
    );
  }
  return (
    <section aria-label="Chunks" data-stale={error !== null}>
      <ol className="chunks">
        {chunks.map((chunk) => (
          <li key={chunk.index}>
            <button
              type="button"
              className="chunk"
              aria-pressed={chunk.index === selected}
              onClick={() => onSelect(chunk)}
            >
              <span className="muted">
                {[`Chunk ${chunk.index + 1}`, ...(chunk.page === null ? [] : [`page ${chunk.page}`])].join(', ')}
                {chunk.headings.length > 0 && ` · ${chunk.headings.join(' › ')}`}
              </span>
              <span className="chunk-text">{chunk.text.replaceAll(/\n{2,}/g, '\n')}</span>
            </button>
          </li>
        ))}
      </ol>
      <LoadMore list={query} />
    </section>
  );
}
