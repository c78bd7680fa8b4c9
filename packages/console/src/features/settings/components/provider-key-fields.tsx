import type { FieldErrors } from '../lib/field-errors.js';
import { mayHaveUrl, providerNames, type KeyedProvider } from '../lib/provider-names.js';
import { Field } from './field.js';

interface ProviderKeyForm {
  provider: KeyedProvider;
  key: string;
  url: string;
}

interface ProviderKeyFieldsProps {
  form: ProviderKeyForm;
  /** Those that can be chosen. */
  providers: readonly KeyedProvider[];
  errors: FieldErrors;
  onChange: (form: ProviderKeyForm) => void;
}

export function ProviderKeyFields({ form, providers, errors, onChange }: ProviderKeyFieldsProps) {
  const change = (part: Partial<ProviderKeyForm>) => onChange({ ...form, ...part });
  return (
    <>
      <Field title="Provider" error={errors.of('provider')}>
        {(control) => (
          <select
            {...control}
            value={form.provider}
            disabled={providers.length === 1}
            onChange={({ target }) => change({ provider: target.value as KeyedProvider })}
          >
            {providers.map((provider) => (
              <option key={provider} value={provider}>
                {providerNames[provider]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field title="Key" hint="It is stored encrypted, and never shown again." error={errors.of('key')}>
        {(control) => (
          <input
            {...control}
            type="password"
            // Browsers offer to store what they take for a password of this page.
            autoComplete="new-password"
            spellCheck={false}
            value={form.key}
            onChange={({ target }) => change({ key: target.value })}
          />
        )}
      </Field>
      {mayHaveUrl(form.provider) && (
        <Field
          title="URL of your own extractor"
          hint="Optional. Files are sent there, and the key signs the requests: whsec_ and 24 to 64 bytes in base64."
          error={errors.of('url')}
        >
          {(control) => (
            <input
              {...control}
              type="url"
              spellCheck={false}
              value={form.url}
              placeholder="https://extractor.example.com/read"
              onChange={({ target }) => change({ url: target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
