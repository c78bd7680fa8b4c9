import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { formatBytes } from '../../../ui/formats.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { Notice, SkeletonRows } from '../../../ui/view-states.js';
import type { Span } from '../lib/spans.js';
import { contentQuery, type FileDetail } from '../queries.js';

const RenderedMarkdown = lazy(async () => ({ default: (await import('./rendered-markdown.js')).RenderedMarkdown }));

interface TextPanelProps {
  file: FileDetail;
  lit: Span | null;
  /** The part that is scrolled to the top. */
  shown: Span | null;
  onSelect: (span: Span | null) => void;
  onRead: (offset: number) => void;
}

export function TextPanel({ file, ...text }: TextPanelProps) {
  const { data, error, refetch } = useQuery(contentQuery(useKiln(), file, 'markdown'));
  if (!file.variants.some(({ type }) => type === 'markdown')) return <NoText status={file.status} />;
  if (!data) return <NotLoaded error={error} refetch={refetch} rows={18} label="Loading the text" />;
  if (data.content === null) {
    return (
      <Notice
        icon="file"
        title="The text is too long to show here"
        action={
          <a className="button" href={data.content_url} target="_blank" rel="noopener noreferrer">
            Open the markdown
          </a>
        }
      >
        It has {formatBytes(data.size_bytes)}.
      </Notice>
    );
  }
  if (data.content.trim() === '') {
    return (
      <Notice icon="file" title="No text">
        The document contains none that could be read.
      </Notice>
    );
  }
  return (
    <Suspense fallback={<SkeletonRows rows={18} label="Loading the text" />}>
      <RenderedMarkdown markdown={data.content} {...text} />
    </Suspense>
  );
}

const reasons: Readonly<Record<FileDetail['status'], string>> = {
  uploading: 'The bytes of the file have not arrived yet.',
  uploaded: 'The file is not processed. Reprocess makes its text.',
  processing: 'The text appears here when it is read.',
  failed: 'The file could not be processed. The timeline says why.',
  completed: 'The file was processed without the variant markdown. Reprocess it with this variant.',
};

function NoText({ status }: { status: FileDetail['status'] }) {
  return (
    <Notice icon="file" title="No text yet">
      {reasons[status]}
    </Notice>
  );
}
