import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { useChangeRules } from '../hooks/use-change-rules.js';
import { withoutRule, type Rule } from '../lib/routing-rules.js';

export function DeleteRuleDialog({ rule: { content_type: type }, onClose }: { rule: Rule; onClose: () => void }) {
  const remove = useChangeRules((rules) => withoutRule(rules, type), 'The rule is deleted.', onClose);
  return (
    <ConfirmDialog title={`Delete the rule for ${type}?`} confirmTitle="Delete" action={remove} onClose={onClose}>
      <p>Its files go to the next rule that matches, or to the engine for their type.</p>
    </ConfirmDialog>
  );
}
