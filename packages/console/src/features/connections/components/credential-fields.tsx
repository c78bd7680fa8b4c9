import { Field, SECRET_INPUT, TextField } from '../../../ui/field.js';
import { kindNames, providerForms, type Provider } from '../lib/providers.js';
import { fieldsOf, type Credentials } from '../lib/setup-form.js';

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
        <fieldset className="choices credential-kinds">
          <legend>Kiln signs in with</legend>
          {kinds.map((one) => (
            <label key={one} className="choice">
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
      {fieldsOf(provider, kind).map(({ name, title, isSecret, isLong, example }) => {
        const value = values[name] ?? '';
        const change = (text: string) => onChange({ kind, values: { ...values, [name]: text } });
        if (!isLong) {
          const secret = isSecret && SECRET_INPUT;
          return (
            <TextField key={name} title={title} placeholder={example} {...secret} value={value} onChange={change} />
          );
        }
        return (
          <Field key={name} title={title}>
            {(control) => (
              <textarea
                {...control}
                className="code-input"
                rows={4}
                value={value}
                spellCheck={false}
                placeholder="The content of the file"
                onChange={({ target }) => change(target.value)}
              />
            )}
          </Field>
        );
      })}
      {kind === 'role' && externalId !== undefined && (
        <p className="muted">
          The external id <code>{externalId}</code> is sent with it.
        </p>
      )}
    </>
  );
}
