import { Choice } from '../../../ui/choice.js';
import { TextField } from '../../../ui/field.js';
import type { ChangesForm } from '../lib/connection-changes.js';
import { providerForms, type Provider } from '../lib/providers.js';
import { CredentialFields } from './credential-fields.js';
import { FilePolicyFields } from './file-policy-fields.js';
import { SyncPolicyFields } from './sync-policy-fields.js';

interface ChangesFieldsProps {
  provider: Provider;
  form: ChangesForm;
  externalId: string | undefined;
  onChange: (form: ChangesForm) => void;
}

export function ChangesFields({ provider, form, externalId, onChange }: ChangesFieldsProps) {
  const { kinds, region, mayBeUnsorted, queue, hasInventories } = providerForms[provider];
  const { credentials } = form;
  const empty = { kind: kinds[0], values: {} };
  return (
    <>
      <TextField title="Name" value={form.name} onChange={(name) => onChange({ ...form, name })} />
      {region && (
        <TextField title="Region" value={form.region} onChange={(text) => onChange({ ...form, region: text })} />
      )}
      {mayBeUnsorted && (
        <Choice isChosen={form.isUnsorted} onToggle={() => onChange({ ...form, isUnsorted: !form.isUnsorted })}>
          The store lists keys in no order, as Storj does
        </Choice>
      )}
      <FilePolicyFields policy={form.files} onChange={(files) => onChange({ ...form, files })} />
      <SyncPolicyFields policy={form.syncs} onChange={(syncs) => onChange({ ...form, syncs })} />
      {queue && (
        <TextField
          title="Queue of notifications"
          placeholder={queue.example}
          hint="The bucket reports changes to it, so that they are found without a sync. Kiln tries it first."
          value={form.queue}
          onChange={(text) => onChange({ ...form, queue: text })}
        />
      )}
      {hasInventories && (
        <TextField
          title="Inventory"
          placeholder="s3://acme-inventories/inventories/acme-documents/kiln/"
          hint="Syncs read the newest S3 inventory there in place of a listing. Kiln tries it first."
          value={form.inventory}
          onChange={(text) => onChange({ ...form, inventory: text })}
        />
      )}
      <Choice
        isChosen={credentials !== null}
        onToggle={() => onChange({ ...form, credentials: credentials ? null : empty })}
      >
        Replace the credentials
      </Choice>
      {credentials && (
        <>
          <p className="muted">Kiln tries the new ones first, and keeps the old ones if they fail.</p>
          <CredentialFields
            provider={provider}
            credentials={credentials}
            externalId={externalId}
            onChange={(next) => onChange({ ...form, credentials: next })}
          />
        </>
      )}
    </>
  );
}
