import type { ReactNode } from 'react';
import { NotLoaded } from '../../../ui/not-loaded.js';

interface SectionCardProps {
  title: string;
  /** A button in the head. */
  action?: ReactNode;
  isLoaded: boolean;
  error: Error | null;
  refetch: () => unknown;
  children: ReactNode;
}

/** A card with the states of its data. What is loaded stays, marked as stale, where a later request fails. */
export function SectionCard({ title, action, isLoaded, error, refetch, children }: SectionCardProps) {
  return (
    <section className="card settings-section" aria-label={title} data-stale={isLoaded && error !== null}>
      <header>
        <h2>{title}</h2>
        {action}
      </header>
      {isLoaded ? children : <NotLoaded error={error} refetch={refetch} rows={6} label={`Loading: ${title}`} />}
    </section>
  );
}
