import { useId } from 'react';
import { kindNames, providerForms, type Provider } from '../lib/providers.js';
import { fieldsOf, type Credentials, type Field } from '../lib/setup-form.js';

interface CredentialFieldsProps {
  provider: Provider;
  credentials: Credentials;
  externalId: string | undefined;
  onChange: (credentials: Credentials) => void;
}

export function CredentialFields({ provider, credentials, externalId, onChange }: CredentialFieldsProps) {
  const { kind, values } = credentials;
  const { kinds } = providerForms[provider];
  return (
    <>
      {kinds.length > 1 && (
        <fieldset className="credential-kinds">
          <legend>Kiln signs in with</legend>
          {kinds.map((one) => (
            <label key={one} className="connection-choice">
              <input
                type="radio"
                name="kind"
                checked={one === kind}
                // What belongs to another kind is forgotten.
                onChange={() => onChange({ kind: one, values: {} })}
              />
              {kindNames[one]}
            </label>
          ))}
        </fieldset>
      )}
      {fieldsOf(provider, kind).map((field) => (
        <CredentialField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => onChange({ kind, values: { ...values, [field.name]: value } })}
        />
      ))}
      {kind === 'role' && externalId !== undefined && (
        <p className="muted">
          The external id <code>{externalId}</code> is sent with it.
        </p>
      )}
    </>
  );
}

interface CredentialFieldProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}

function CredentialField({ field: { title, isSecret, isLong, example }, value, onChange }: CredentialFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {isLong ? (
        <textarea
          id={id}
          rows={4}
          value={value}
          spellCheck={false}
          placeholder="The content of the file"
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <input
          id={id}
          type={isSecret ? 'password' : 'text'}
          // Browsers offer to store what they take for a password of this page.
          autoComplete={isSecret ? 'new-password' : 'off'}
          spellCheck={false}
          value={value}
          placeholder={example}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}
