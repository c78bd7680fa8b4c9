// Connects a bucket in three steps on one page: the provider, the access, the verification.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import '../connections.css';
import type { Provider } from '../lib/providers.js';
import { providersQuery, stepsQuery, type Connection } from '../queries.js';
import { SetupForm } from './setup-form.js';

interface SetupViewProps {
  provider: Provider | undefined;
  onConnected: (connection: Connection) => void;
}

export function SetupView({ provider, onConnected }: SetupViewProps) {
  const mayWrite = useMay('connections:write');
  return (
    <>
      <PageHead title="Connect a bucket" />
      {mayWrite ? (
        <div className="setup">
          <ProviderChoice chosen={provider} />
          {provider && <ProviderSetup key={provider} provider={provider} onConnected={onConnected} />}
        </div>
      ) : (
        <section className="card" aria-label="Provider">
          <Notice icon="bucket" title="Not permitted">
            This key may not connect a bucket: it lacks the scope connections:write.
          </Notice>
        </section>
      )}
    </>
  );
}

function ProviderChoice({ chosen }: { chosen: Provider | undefined }) {
  const { data: providers, error, refetch } = useQuery(providersQuery(useKiln()));
  return (
    <section className="card" aria-label="Provider">
      <header>
        <h2>1. Where is the bucket?</h2>
      </header>
      {providers ? (
        <nav className="provider-choice" aria-label="Providers">
          {providers.map(({ id, name }) => (
            <Link
              key={id}
              className="button"
              to="/connections/new"
              search={{ provider: id }}
              replace
              {...(id === chosen && { 'aria-current': true })}
            >
              {name}
            </Link>
          ))}
        </nav>
      ) : (
        <NotLoaded error={error} refetch={refetch} rows={3} label="Loading the providers" />
      )}
    </section>
  );
}

function ProviderSetup({ provider, onConnected }: SetupViewProps & { provider: Provider }) {
  const { data: instructions, error, refetch } = useQuery(stepsQuery(useKiln(), provider));
  if (instructions) return <SetupForm provider={provider} instructions={instructions} onConnected={onConnected} />;
  return (
    <section className="card" aria-label="Access">
      {<NotLoaded error={error} refetch={refetch} rows={6} label="Loading the steps" />}
    </section>
  );
}
