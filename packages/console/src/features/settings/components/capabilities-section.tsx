import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { capabilitiesQuery } from '../queries.js';
import { SectionCard } from './section-card.js';

const parts = [
  { name: 'documents', title: 'Documents', does: 'The text of PDF, office and other documents' },
  { name: 'images', title: 'Images', does: 'The text in images' },
  { name: 'audio', title: 'Audio', does: 'The words of audio files' },
  { name: 'embeddings', title: 'Embeddings', does: 'Searches by meaning' },
  { name: 'reranking', title: 'Reranking', does: 'A better order of results' },
] as const;

/** What is set up for the organization, by the operator or with its keys. */
export function CapabilitiesSection() {
  const { data, error, refetch } = useQuery(capabilitiesQuery(useKiln()));
  return (
    <SectionCard title="Capabilities" isLoaded={data !== undefined} error={error} refetch={refetch}>
      <p className="settings-hint">What the operator or a provider key of the organization has set up.</p>
      <dl className="settings-parts">
        {data &&
          parts.map(({ name, title, does }) => (
            <Part key={name} title={title} does={does} state={data[name] ? 'Set up' : 'Not set up'} isOk={data[name]} />
          ))}
        {data && (
          <Part
            title="Chat models"
            does="Answers that a model writes"
            state={data.chat_models.length > 0 ? data.chat_models.join(', ') : 'Not set up'}
            isOk={data.chat_models.length > 0}
          />
        )}
      </dl>
    </SectionCard>
  );
}

function Part({ title, does, state, isOk }: { title: string; does: string; state: string; isOk: boolean }) {
  return (
    <div>
      <dt>
        {title} <span className="muted">{does}</span>
      </dt>
      <dd className={isOk ? 'settings-ok' : 'muted'}>{state}</dd>
    </div>
  );
}
