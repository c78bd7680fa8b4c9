// The image of one page. The number of the page is in the address.
import { pageCountOf, propertiesOf } from '@kiln/console/ui/pages.js';
import type { ComponentChildren } from 'preact';
import { hrefOf } from '../../address.js';
import { usePortal } from '../../api/portal-context.js';
import { useLoaded } from '../../api/use-loaded.js';
import { Icon } from '../../ui/icon.js';
import { PagePicture } from '../../ui/page-picture.js';
import type { FileDetail } from './file-view.js';

export function FilePages({ file, page }: { file: FileDetail; page: number }) {
  const portal = usePortal();
  const hasProperties = file.variants.some(({ type }) => type === 'metadata');
  const { value: metadata } = useLoaded(
    async (signal) => (hasProperties ? portal.getVariant(file.id, 'metadata', { signal }) : null),
    [portal, file.id, hasProperties],
  );
  const count = Math.max(page, pageCountOf(propertiesOf(metadata?.content ?? null)) ?? 1);
  return (
    <section class="file-pages card" aria-label="Pages">
      <header>
        <h2 aria-live="polite">{count === 1 ? 'Page' : `Page ${page} of ${count}`}</h2>
        {count > 1 && (
          <nav aria-label="Pages">
            <PageLink id={file.id} page={page - 1} count={count} label="Previous page">
              <Icon name="back" />
            </PageLink>
            <PageLink id={file.id} page={page + 1} count={count} label="Next page">
              <Icon name="next" />
            </PageLink>
          </nav>
        )}
      </header>
      <PagePicture fileId={file.id} filename={file.filename} page={page} />
    </section>
  );
}

interface PageLinkProps {
  id: string;
  page: number;
  count: number;
  label: string;
  children: ComponentChildren;
}

/** It keeps its place, and the focus, where there is no further page. */
function PageLink({ id, page, count, label, children }: PageLinkProps) {
  const isThere = page >= 1 && page <= count;
  if (isThere) {
    return (
      <a class="icon-button" aria-label={label} href={hrefOf({ view: 'file', id, page })}>
        {children}
      </a>
    );
  }
  return (
    <a class="icon-button" aria-label={label} role="link" aria-disabled="true" tabIndex={0}>
      {children}
    </a>
  );
}
