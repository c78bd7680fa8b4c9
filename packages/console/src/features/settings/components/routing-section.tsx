// Routing rules: each change reads the list again, so that a rule of another user is kept.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { Notice } from '../../../ui/view-states.js';
import { useMayChange } from '../hooks/use-may-change.js';
import { inOrder, type Rule } from '../lib/routing-rules.js';
import { routingCalls } from '../lib/settings-calls.js';
import { routingQuery } from '../queries.js';
import { DeleteRuleDialog } from './delete-rule-dialog.js';
import { RuleDialog } from './rule-dialog.js';
import { RulesTable } from './rules-table.js';
import { SectionCard } from './section-card.js';

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; rule: Rule };

export function RoutingSection() {
  const { data, error, refetch } = useQuery(routingQuery(useKiln()));
  const mayChange = useMayChange();
  const [open, setOpen] = useState<Open | null>(null);
  const rules = inOrder(data?.rules ?? []);
  const close = () => setOpen(null);
  const add = mayChange && (
    <Button kind="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add a rule
    </Button>
  );
  return (
    <>
      <SectionCard
        title="Routing rules"
        action={rules.length > 0 && add}
        isLoaded={data !== undefined}
        error={error}
        refetch={refetch}
      >
        {rules.length === 0 ? (
          <Notice icon="list" title="No routing rules yet" action={add}>
            Kiln chooses the engine by the content type of the file. A rule assigns a content type to another engine.
          </Notice>
        ) : (
          <>
            <p className="settings-hint">
              The first rule that matches applies. Kiln orders them: exact types first, then the longest wildcard.
            </p>
            <RulesTable
              rules={rules}
              mayChange={mayChange}
              onEdit={(rule) => setOpen({ kind: 'edit', rule })}
              onDelete={(rule) => setOpen({ kind: 'delete', rule })}
            />
          </>
        )}
      </SectionCard>
      <ActionCommands calls={routingCalls(rules)} />
      {open?.kind === 'add' && <RuleDialog replaced={null} onClose={close} />}
      {open?.kind === 'edit' && <RuleDialog replaced={open.rule} onClose={close} />}
      {open?.kind === 'delete' && <DeleteRuleDialog rule={open.rule} onClose={close} />}
    </>
  );
}
