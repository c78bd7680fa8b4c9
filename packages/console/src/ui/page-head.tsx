import type { ReactNode } from 'react';

/** The title of a page, and its actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="page-head">
      <title>{`${title} – Kiln`}</title>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
