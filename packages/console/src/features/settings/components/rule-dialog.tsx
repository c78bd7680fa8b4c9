import { useId, useState, type FormEvent } from 'react';
import { Dialog } from '../../../ui/dialog.js';
import { useChangeRules } from '../hooks/use-change-rules.js';
import { fieldErrors } from '../lib/field-errors.js';
import { extractionProviders, providerNames, type ExtractionProvider } from '../lib/provider-names.js';
import { withRule, type Rule } from '../lib/routing-rules.js';
import { Field } from './field.js';
import { FormError } from '../../../ui/form-error.js';

interface RuleDialogProps {
  /** Null to add a rule. */
  replaced: Rule | null;
  onClose: () => void;
}

export function RuleDialog({ replaced, onClose }: RuleDialogProps) {
  const formId = useId();
  const [type, setType] = useState(replaced?.content_type ?? '');
  const [provider, setProvider] = useState<ExtractionProvider>(replaced?.provider ?? 'document_extractor');
  const change = useChangeRules(
    (rules) => withRule(rules, replaced?.content_type ?? null, { content_type: type.trim(), provider }),
    'The rules are saved.',
    onClose,
  );
  const problem = fieldErrors(change.error, ['rules']).of('rules');
  const isReady = type.trim() !== '' && !change.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) change.mutate();
  };
  return (
    <Dialog
      title={replaced ? 'Edit the rule' : 'Add a rule'}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="button button-primary" disabled={!isReady}>
            Save
          </button>
        </>
      }
    >
      <form id={formId} className="settings-dialog-form" onSubmit={submit} autoComplete="off">
        <Field
          title="Content type"
          hint="A media type such as application/pdf, or a wildcard such as image/*."
          error={problem}
        >
          {(control) => (
            <input
              {...control}
              value={type}
              spellCheck={false}
              placeholder="image/*"
              onChange={({ target }) => setType(target.value)}
            />
          )}
        </Field>
        <Field title="Engine">
          {(control) => (
            <select
              {...control}
              value={provider}
              onChange={({ target }) => setProvider(target.value as ExtractionProvider)}
            >
              {extractionProviders.map((one) => (
                <option key={one} value={one}>
                  {providerNames[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {change.error && problem === null && <FormError error={change.error} />}
      </form>
    </Dialog>
  );
}
