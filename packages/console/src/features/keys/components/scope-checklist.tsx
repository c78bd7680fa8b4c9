import type { Scope } from '../../../api/me.js';
import { mayDo } from '../../../api/scopes.js';

const scopes = [
  'files:read',
  'files:write',
  'search:read',
  'jobs:read',
  'jobs:write',
  'connections:read',
  'connections:write',
  'webhooks:read',
  'webhooks:write',
  'analytics:read',
  'logs:read',
  'portal:write',
  'org:read',
  'org:write',
  'keys:read',
  'keys:write',
] as const satisfies readonly Scope[];

interface ScopeChecklistProps {
  /** A key cannot pass on more than it has. */
  own: readonly Scope[];
  chosen: ReadonlySet<Scope>;
  onToggle: (scope: Scope) => void;
}

export function ScopeChecklist({ own, chosen, onToggle }: ScopeChecklistProps) {
  const isAll = chosen.has('*');
  return (
    <fieldset className="scopes">
      <legend>Scopes</legend>
      {own.includes('*') && (
        <label className="scopes-all">
          <input type="checkbox" checked={isAll} onChange={() => onToggle('*')} /> All, also later ones
        </label>
      )}
      {scopes
        .filter((scope) => mayDo(own, scope))
        .map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={isAll || chosen.has(scope)}
              disabled={isAll}
              onChange={() => onToggle(scope)}
            />
            {scope}
          </label>
        ))}
    </fieldset>
  );
}
