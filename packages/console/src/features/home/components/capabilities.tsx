// The parts that are not set up for this organization, and what adds them.
import type { Schemas } from '@kiln/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { Icon } from '../../../ui/icon.js';
import { capabilitiesQuery } from '../queries.js';

export function Capabilities() {
  const { data } = useQuery(capabilitiesQuery(useKiln()));
  const missing = data ? missingParts(data) : [];
  if (missing.length === 0) return null;
  return (
    <aside className="capability" aria-label="Not set up">
      <Icon name="alert" />
      <ul>
        {missing.map(({ title, remedy }) => (
          <li key={title}>
            <strong>{title}</strong> {remedy}
          </li>
        ))}
      </ul>
    </aside>
  );
}

interface MissingPart {
  title: string;
  remedy: ReactNode;
}

function missingParts({
  embeddings,
  chat_models: chatModels,
  audio,
}: Schemas['GetCapabilitiesResponse']): MissingPart[] {
  const parts: (MissingPart & { isMissing: boolean })[] = [
    {
      isMissing: !embeddings,
      title: 'No embedding model: searches find words, not meaning.',
      remedy: (
        <>
          Add one with <code>npm run kiln -- models pull</code>, then start Kiln again.
        </>
      ),
    },
    {
      isMissing: chatModels.length === 0,
      title: 'No chat model: answers are sentences of your files.',
      remedy: (
        <>
          Set <code>KILN_CHAT_URL</code> and <code>KILN_CHAT_MODEL</code>.
        </>
      ),
    },
    {
      isMissing: !audio,
      title: 'No speech engine: audio files fail.',
      remedy: (
        <>
          Set <code>KILN_AUDIO_EXTRACTOR</code>.
        </>
      ),
    },
  ];
  return parts.filter(({ isMissing }) => isMissing);
}
