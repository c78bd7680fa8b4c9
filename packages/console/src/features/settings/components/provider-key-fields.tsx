import { SECRET_INPUT, SelectField, TextField } from '../../../ui/field.js';
import type { FieldErrors } from '../lib/field-errors.js';
import { mayHaveUrl, providerNames, type KeyedProvider } from '../lib/provider-names.js';

interface ProviderKeyForm {
  provider: KeyedProvider;
  key: string;
  url: string;
}

interface ProviderKeyFieldsProps {
  form: ProviderKeyForm;
  /** The providers to choose from. */
  providers: readonly KeyedProvider[];
  errors: FieldErrors;
  onChange: (form: ProviderKeyForm) => void;
}

export function ProviderKeyFields({ form, providers, errors, onChange }: ProviderKeyFieldsProps) {
  const change = (part: Partial<ProviderKeyForm>) => onChange({ ...form, ...part });
  return (
    <>
      <SelectField
        title="Provider"
        error={errors.of('provider')}
        options={providers.map((provider) => [provider, providerNames[provider]])}
        value={form.provider}
        isDisabled={providers.length === 1}
        onChange={(provider) => change({ provider })}
      />
      <TextField
        title="Key"
        hint="It is stored encrypted, and never shown again."
        error={errors.of('key')}
        {...SECRET_INPUT}
        value={form.key}
        onChange={(key) => change({ key })}
      />
      {mayHaveUrl(form.provider) && (
        <TextField
          title="URL of your own extractor"
          hint="Optional. Files are sent there, and the key signs the requests: whsec_ and 24 to 64 bytes in base64."
          error={errors.of('url')}
          type="url"
          value={form.url}
          placeholder="https://extractor.example.com/read"
          onChange={(url) => change({ url })}
        />
      )}
    </>
  );
}
