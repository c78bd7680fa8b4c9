import type { ReactNode } from 'react';
import { useMe } from '../../../api/me.js';
import { mayDo } from '../../../api/scopes.js';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
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
      <title>{`${page.title} – Kiln`}</title>
      <div className="page-head">
        <h1>{page.title}</h1>
      </div>
      <section className="card" aria-label={page.title}>
        {me ? (
          <Notice icon="key" title="Not permitted">
            This key lacks the scope {page.scope}. Sign in with a key that has it.
          </Notice>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={8} label="Loading" />
        )}
      </section>
    </>
  );
}
