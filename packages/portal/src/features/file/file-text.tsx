import { formatBytes } from '@kiln/console/ui/formats.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../api/portal-context.js';
import { useLoaded } from '../../api/use-loaded.js';
import { Failed, Notice, SkeletonRows } from '../../ui/view-states.js';
import type { FileDetail } from './file-view.js';

type Render = (markdown: string) => DocumentFragment;

/** The text of the document, from its variant `markdown`. */
export function FileText({ file }: { file: FileDetail }) {
  if (file.variants.some(({ type }) => type === 'markdown')) return <Markdown fileId={file.id} />;
  return (
    <Notice icon="file" title="No text">
      {file.status === 'processing'
        ? 'It appears when the document is read.'
        : 'The text of this document is not known.'}
    </Notice>
  );
}

function Markdown({ fileId }: { fileId: string }) {
  const portal = usePortal();
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const [variant, { safeMarkdown }] = await Promise.all([
        portal.getVariant(fileId, 'markdown', { signal }),
        import('@kiln/console/ui/safe-markdown.js'),
      ]);
      return { variant, render: safeMarkdown };
    },
    [portal, fileId],
  );
  if (!value) {
    if (error !== null) return <Failed error={error} onRetry={reload} />;
    return <SkeletonRows rows={12} label="Loading the text" />;
  }
  const { content, content_url: url, size_bytes: size } = value.variant;
  if (content === null) {
    return (
      <Notice
        icon="file"
        title="The text is too long to show here"
        action={
          <a class="button" href={url} target="_blank" rel="noopener noreferrer">
            Open the text
          </a>
        }
      >
        It has {formatBytes(size)}.
      </Notice>
    );
  }
  if (content.trim() === '') return <Notice icon="file" title="No text" />;
  return <Rendered markdown={content} render={value.render} />;
}

/** Characters of markdown that are shown at first. */
const SHOWN_MAX = 20_000;

function Rendered({ markdown, render }: { markdown: string; render: Render }) {
  const place = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(markdown.length <= SHOWN_MAX);
  useEffect(() => {
    place.current?.replaceChildren(render(isWhole ? markdown : beginningOf(markdown)));
  }, [markdown, render, isWhole]);
  return (
    <section class="text card" aria-label="Text">
      <div ref={place} class="markdown" />
      {!isWhole && (
        <button type="button" class="button more" onClick={() => setWhole(true)}>
          Show the whole text
        </button>
      )}
    </section>
  );
}

/** Ends with a paragraph. */
function beginningOf(markdown: string): string {
  const end = markdown.lastIndexOf('\n\n', SHOWN_MAX);
  return markdown.slice(0, end > 0 ? end : SHOWN_MAX);
}
