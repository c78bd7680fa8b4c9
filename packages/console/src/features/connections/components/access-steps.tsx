import type { Schemas } from '@kiln/sdk';
import { accessTexts } from '@kiln/sdk/bucket-access';
import { useState } from 'react';
import { Choice } from '../../../ui/choice.js';
import { CodeBlock } from '../../../ui/code-block.js';
import type { Provider } from '../lib/providers.js';
import type { SetupForm } from '../lib/setup-form.js';

interface AccessStepsProps {
  provider: Provider;
  form: SetupForm;
  instructions: Schemas['StartConnectionResponse']['instructions'];
}

/** This page sends the request that the last step describes. */
const isForPrograms = (step: string) => step.startsWith('Send POST /v1/');

/** Undefined when the operator has configured no issuer. */
function identityOf({ issuer, subject, jwks }: AccessStepsProps['instructions']) {
  if (issuer === undefined || subject === undefined || jwks === undefined) return undefined;
  return { issuer, subject, jwks };
}

/** What to do at the provider, with texts to copy. They follow the fields of the form. */
export function AccessSteps({ provider, form, instructions }: AccessStepsProps) {
  const [mayUpload, setMayUpload] = useState(false);
  const { credentials, bucket, prefix } = form;
  const texts = accessTexts({
    provider,
    kind: credentials.kind,
    bucket,
    prefix,
    mayUpload,
    endpoint: credentials.values['endpoint'] ?? '',
    account: credentials.values['account_name'] ?? '',
    roleArn: instructions.role_arn,
    externalId: instructions.external_id,
    identity: identityOf(instructions),
  });
  const isRole = credentials.kind === 'role';
  return (
    <section className="card" aria-label="Access">
      <header>
        <h2>2. Give Kiln access</h2>
      </header>
      <div className="access">
        {(isRole || instructions.role_arn === undefined) && (
          <ol>
            {instructions.steps
              .filter((step) => !isForPrograms(step))
              .map((step) => (
                <li key={step}>{step}</li>
              ))}
          </ol>
        )}
        {texts.length > 0 && (
          <Choice isChosen={mayUpload} onToggle={() => setMayUpload(!mayUpload)}>
            Files will also be uploaded into the bucket through Kiln
          </Choice>
        )}
        {texts.map(({ title, about, text }) => (
          <details key={title} className="access-text" open={!title.startsWith('CORS')}>
            <summary>
              <strong>{title}</strong> <span className="muted">{about}</span>
            </summary>
            <CodeBlock label={title} text={text} />
          </details>
        ))}
      </div>
    </section>
  );
}
