import { IconButton } from '../../../ui/button.js';
import { DataTable, type Column } from '../../../ui/data-table.js';
import { providerNames } from '../lib/provider-names.js';
import { reachOf, type Rule } from '../lib/routing-rules.js';

interface RulesTableProps {
  rules: readonly Rule[];
  mayChange: boolean;
  onEdit: (rule: Rule) => void;
  onDelete: (rule: Rule) => void;
}

export function RulesTable({ rules, mayChange, onEdit, onDelete }: RulesTableProps) {
  const columns: readonly Column<Rule>[] = [
    { title: 'Content type', className: 'settings-name', cell: ({ content_type: type }) => <code>{type}</code> },
    { title: 'Applies to', className: 'settings-reach short muted', cell: ({ content_type: type }) => reachOf(type) },
    { title: 'Engine', cell: ({ provider }) => providerNames[provider] },
    {
      title: '',
      className: 'row-actions',
      cell: (rule) =>
        mayChange && (
          <>
            <IconButton icon="edit" label={`Edit the rule for ${rule.content_type}`} onClick={() => onEdit(rule)} />
            <IconButton
              icon="trash"
              label={`Delete the rule for ${rule.content_type}`}
              onClick={() => onDelete(rule)}
            />
          </>
        ),
    },
  ];
  return <DataTable label="Routing rules" columns={columns} rows={rules} keyOf={({ content_type: type }) => type} />;
}
