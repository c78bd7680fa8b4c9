import { useState } from 'react';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { useChangeRules } from '../hooks/use-change-rules.js';
import { fieldErrors } from '../lib/field-errors.js';
import { extractionProviders, providerNames, type ExtractionProvider } from '../lib/provider-names.js';
import { withRule, type Rule } from '../lib/routing-rules.js';

interface RuleDialogProps {
  /** Null to add a rule. */
  replaced: Rule | null;
  onClose: () => void;
}

export function RuleDialog({ replaced, onClose }: RuleDialogProps) {
  const [type, setType] = useState(replaced?.content_type ?? '');
  const [provider, setProvider] = useState<ExtractionProvider>(replaced?.provider ?? 'document_extractor');
  const change = useChangeRules(
    (rules) => withRule(rules, replaced?.content_type ?? null, { content_type: type.trim(), provider }),
    'The rules are saved.',
    onClose,
  );
  const problem = fieldErrors(change.error, ['rules']).of('rules');
  return (
    <FormDialog
      title={replaced ? 'Edit the rule' : 'Add a rule'}
      submitTitle="Save"
      isReady={type.trim() !== '' && !change.isPending}
      error={problem === null ? change.error : null}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <TextField
        title="Content type"
        hint="A media type such as application/pdf, or a wildcard such as image/*."
        error={problem}
        value={type}
        placeholder="image/*"
        onChange={setType}
      />
      <SelectField
        title="Engine"
        options={extractionProviders.map((one) => [one, providerNames[one]])}
        value={provider}
        onChange={setProvider}
      />
    </FormDialog>
  );
}
