import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { propertiesOf } from '../../../ui/pages.js';
import { Notice } from '../../../ui/view-states.js';
import { contentQuery, type FileDetail } from '../queries.js';

/** The properties in the variant `metadata`. They were found in the document, and cannot be edited. */
export function FoundProperties({ file }: { file: FileDetail }) {
  const { data, error, isLoading, refetch } = useQuery(contentQuery(useKiln(), file, 'metadata'));
  const properties = Object.entries(propertiesOf(data?.content ?? null) ?? {}).filter(([, value]) => value !== null);
  return (
    <section className="card" aria-labelledby="found-title">
      <header>
        <h2 id="found-title">Found in the document</h2>
      </header>
      {(error && !data) || isLoading ? (
        <NotLoaded error={error} refetch={refetch} rows={5} label="Loading the properties" />
      ) : properties.length === 0 ? (
        <Notice icon="file" title="No properties">
          The file has no variant metadata.
        </Notice>
      ) : (
        <dl className="properties">
          {properties.map(([name, value]) => (
            <div key={name}>
              <dt>{name.replaceAll('_', ' ')}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
