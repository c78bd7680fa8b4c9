import { mayDo, type Scope } from '../../../api/me.js';
import { Choice } from '../../../ui/choice.js';

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
    <fieldset className="choices scopes">
      <legend>Scopes</legend>
      {own.includes('*') && (
        <div className="scopes-all">
          <Choice isChosen={isAll} onToggle={() => onToggle('*')}>
            All, also later ones
          </Choice>
        </div>
      )}
      {scopes
        .filter((scope) => mayDo(own, scope))
        .map((scope) => (
          <Choice key={scope} isChosen={isAll || chosen.has(scope)} isDisabled={isAll} onToggle={() => onToggle(scope)}>
            {scope}
          </Choice>
        ))}
    </fieldset>
  );
}
