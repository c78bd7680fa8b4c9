import '../../../ui/data-table.css';
import { Icon } from '../../../ui/icon.js';
import { providerNames } from '../lib/provider-names.js';
import { reachOf, type Rule } from '../lib/routing-rules.js';

interface RulesTableProps {
  rules: readonly Rule[];
  /** Null if the user may not change rules. */
  onEdit: ((rule: Rule) => void) | null;
  onDelete: ((rule: Rule) => void) | null;
}

export function RulesTable({ rules, onEdit, onDelete }: RulesTableProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table of rules">
      <table className="data-table settings-table">
        <thead>
          <tr>
            <th scope="col">Content type</th>
            <th scope="col" className="settings-reach">
              Applies to
            </th>
            <th scope="col">Engine</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.content_type}>
              <th scope="row">
                <code>{rule.content_type}</code>
              </th>
              <td className="settings-reach muted">{reachOf(rule.content_type)}</td>
              <td>{providerNames[rule.provider]}</td>
              <td className="settings-row-actions">
                {onEdit && (
                  <RowButton
                    icon="edit"
                    label={`Edit the rule for ${rule.content_type}`}
                    onClick={() => onEdit(rule)}
                  />
                )}
                {onDelete && (
                  <RowButton
                    icon="trash"
                    label={`Delete the rule for ${rule.content_type}`}
                    onClick={() => onDelete(rule)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RowButton({ icon, label, onClick }: { icon: 'edit' | 'trash'; label: string; onClick: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
