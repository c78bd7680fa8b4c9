import type { ReactNode } from 'react';
import { useMe, mayDo } from '../../../api/me.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import { pageOf } from '../lib/pages.js';

interface PermittedPageProps {
  /** The path of the address, without the base. */
  path: string;
  children: ReactNode;
}

/** In place of a page that the key may not read: every part of it would be refused. */
export function PermittedPage({ path, children }: PermittedPageProps) {
  const { data: me, error, refetch } = useMe();
  const page = pageOf(path);
  if (page?.scope === undefined || (me && mayDo(me.scopes, page.scope))) return children;
  return (
    <>
      <PageHead title={page.title} />
      <section className="card" aria-label={page.title}>
        {me ? (
          <Notice icon="key" title="Not permitted">
            This key lacks the scope {page.scope}. Sign in with a key that has it.
          </Notice>
        ) : (
          <NotLoaded error={error} refetch={refetch} rows={8} label="Loading" />
        )}
      </section>
    </>
  );
}
