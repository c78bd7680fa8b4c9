// The parts that this installation lacks, and the commands that add them.
import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { meaningQuery } from '../queries.js';

export function Capabilities() {
  const kiln = useKiln();
  const { data: missing } = useQuery({ ...meaningQuery(kiln), enabled: useMay('search:read') });
  if (missing?.reason !== 'not_configured') return null;
  return (
    <aside className="capability" aria-label="Not set up">
      <Icon name="alert" />
      <p>
        <strong>Searches find words, not meaning: there is no embedding model.</strong> Add one with{' '}
        <code>npm run kiln -- models pull</code>, then start Kiln again.
      </p>
    </aside>
  );
}
