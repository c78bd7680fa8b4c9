import { useId } from 'react';
import { providerForms, type Provider } from '../lib/providers.js';
import { credentialsOf, isRegionMissing, type SetupForm } from '../lib/setup-form.js';
import { BucketList } from './bucket-list.js';

interface BucketFieldsProps {
  provider: Provider;
  form: SetupForm;
  externalId: string | undefined;
  onChange: (form: SetupForm) => void;
}

export function BucketFields({ provider, form, externalId, onChange }: BucketFieldsProps) {
  const { bucketTitle, region } = providerForms[provider];
  const credentials = credentialsOf(provider, form.credentials, externalId);
  const text = (name: 'name' | 'bucket' | 'region' | 'prefix') => ({
    value: form[name],
    onChange: (value: string) => onChange({ ...form, [name]: value }),
  });
  return (
    <>
      {region && (
        <TextField
          title="Region"
          example={region === 'needed' ? 'eu-central-1' : 'Found by Kiln if you leave it out'}
          {...text('region')}
        />
      )}
      <TextField title={bucketTitle} example="acme-documents" {...text('bucket')} />
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
        example="All objects"
        hint="Only objects whose keys begin with it."
        {...text('prefix')}
      />
      <TextField title="Name" example="That of the bucket" {...text('name')} />
    </>
  );
}

interface TextFieldProps {
  title: string;
  example: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

function TextField({ title, example, hint, value, onChange }: TextFieldProps) {
  const [id, hintId] = [useId(), useId()];
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      <input
        id={id}
        value={value}
        placeholder={example}
        autoComplete="off"
        spellCheck={false}
        {...(hint && { 'aria-describedby': hintId })}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint && (
        <span id={hintId} className="muted">
          {hint}
        </span>
      )}
    </div>
  );
}
