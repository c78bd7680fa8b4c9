import type { Schemas } from '@kiln/sdk';
import { useState, type FormEvent } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { FormError } from '../../../ui/form-error.js';
import { useAction } from '../../../ui/use-action.js';
import { setupCalls } from '../lib/connection-calls.js';
import type { Provider } from '../lib/providers.js';
import { emptyForm, requestOf, type VerifyRequest } from '../lib/setup-form.js';
import { connectionKeys, type Connection } from '../queries.js';
import { AccessSteps } from './access-steps.js';
import { BucketFields } from './bucket-fields.js';
import { CredentialFields } from './credential-fields.js';

interface SetupFormProps {
  provider: Provider;
  instructions: Schemas['StartConnectionResponse']['instructions'];
  onConnected: (connection: Connection) => void;
}

/** The credentials are in this form only, until the connection exists. */
export function SetupForm({ provider, instructions, onConnected }: SetupFormProps) {
  const [form, setForm] = useState(() => emptyForm(provider));
  const verify = useAction({
    run: (kiln, body: VerifyRequest) => kiln.connections.verify(body),
    done: 'The bucket is connected.',
    refresh: connectionKeys.list,
  });
  const request = requestOf(provider, form, instructions.external_id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Only while the form is shown: it takes seconds, and who has gone to another page stays there.
    if (request && !verify.isPending) verify.mutate(request, { onSuccess: onConnected });
  };
  return (
    <>
      <AccessSteps provider={provider} form={form} instructions={instructions} />
      <section className="card" aria-label="Bucket and credentials">
        <header>
          <h2>3. Verify and connect</h2>
        </header>
        <form className="form setup-form" onSubmit={submit} autoComplete="off">
          <CredentialFields
            provider={provider}
            credentials={form.credentials}
            externalId={instructions.external_id}
            onChange={(credentials) => setForm({ ...form, credentials })}
          />
          <BucketFields provider={provider} form={form} externalId={instructions.external_id} onChange={setForm} />
          <FormError error={verify.error} />
          <div className="setup-actions">
            <Button type="submit" kind="primary" disabled={!request || verify.isPending}>
              {verify.isPending ? 'Verifying …' : 'Verify and connect'}
            </Button>
            <span className="muted">
              Kiln lists the bucket and reads the beginning of an object. If that fails, it creates nothing.
            </span>
          </div>
          {request && <ActionCommands calls={setupCalls(request)} />}
        </form>
      </section>
    </>
  );
}
