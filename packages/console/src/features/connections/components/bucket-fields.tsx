import { Choice } from '../../../ui/choice.js';
import { TextField } from '../../../ui/field.js';
import { providerForms, type Provider } from '../lib/providers.js';
import { credentialsOf, isRegionMissing, type SetupForm } from '../lib/setup-form.js';
import { BucketList } from './bucket-list.js';
import { FilePolicyFields } from './file-policy-fields.js';
import { SyncPolicyFields } from './sync-policy-fields.js';

interface BucketFieldsProps {
  provider: Provider;
  form: SetupForm;
  externalId: string | undefined;
  onChange: (form: SetupForm) => void;
}

export function BucketFields({ provider, form, externalId, onChange }: BucketFieldsProps) {
  const { bucketTitle, region, mayBeUnsorted } = providerForms[provider];
  const credentials = credentialsOf(provider, form.credentials, externalId);
  const text = (name: 'name' | 'bucket' | 'region' | 'prefix') => ({
    value: form[name],
    onChange: (value: string) => onChange({ ...form, [name]: value }),
  });
  return (
    <>
      {region && (
        <TextField title="Region" placeholder={region === 'needed' ? 'eu-central-1' : 'Optional'} {...text('region')} />
      )}
      <TextField title={bucketTitle} placeholder="acme-documents" {...text('bucket')} />
      <BucketList
        request={
          credentials && !isRegionMissing(provider, form.region)
            ? { provider, credentials, ...(form.region.trim() !== '' && { region: form.region.trim() }) }
            : null
        }
        onChoose={text('bucket').onChange}
      />
      <TextField
        title="Prefix"
        placeholder="All objects"
        hint="Only objects whose keys begin with it."
        {...text('prefix')}
      />
      {mayBeUnsorted && (
        <Choice isChosen={form.isUnsorted} onToggle={() => onChange({ ...form, isUnsorted: !form.isUnsorted })}>
          The store lists keys in no order, as Storj does
        </Choice>
      )}
      <FilePolicyFields policy={form.files} onChange={(files) => onChange({ ...form, files })} />
      <SyncPolicyFields policy={form.syncs} onChange={(syncs) => onChange({ ...form, syncs })} />
      <TextField title="Name" placeholder="The name of the bucket" {...text('name')} />
    </>
  );
}
