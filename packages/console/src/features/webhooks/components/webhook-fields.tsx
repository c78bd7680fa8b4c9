import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { Choice } from '../../../ui/choice.js';
import { TextField } from '../../../ui/field.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { toggled } from '../../../ui/toggled.js';
import { subscribable, type Subscription, type WebhookForm } from '../lib/webhook-form.js';
import { eventTypesQuery } from '../queries.js';

interface WebhookFieldsProps {
  form: WebhookForm;
  hasState: boolean;
  onChange: (form: WebhookForm) => void;
}

export function WebhookFields({ form, hasState, onChange }: WebhookFieldsProps) {
  const change = (part: Partial<WebhookForm>) => onChange({ ...form, ...part });
  return (
    <>
      <TextField
        title="URL"
        type="url"
        value={form.url}
        placeholder="https://example.com/hooks/kiln"
        onChange={(url) => change({ url })}
      />
      <EventTypes chosen={form.events} onToggle={(type) => change({ events: toggled(form.events, type) })} />
      <TextField
        title="Spaces"
        hint="Separated by commas. With spaces, only events about their files are sent."
        value={form.spaces}
        placeholder="All"
        onChange={(spaces) => change({ spaces })}
      />
      {hasState && (
        <Choice isChosen={form.active} onToggle={() => change({ active: !form.active })}>
          Active
        </Choice>
      )}
    </>
  );
}

interface EventTypesProps {
  chosen: ReadonlySet<Subscription>;
  onToggle: (type: Subscription) => void;
}

function EventTypes({ chosen, onToggle }: EventTypesProps) {
  const { data, error, refetch } = useQuery(eventTypesQuery(useKiln()));
  const isAll = chosen.has('*');
  if (!data) return <NotLoaded error={error} refetch={refetch} rows={4} label="Loading the event types" />;
  return (
    <fieldset className="choices">
      <legend>Event types</legend>
      <Choice isChosen={isAll} onToggle={() => onToggle('*')}>
        All, also later ones
      </Choice>
      {!isAll &&
        subscribable(data).map(({ type, description }) => (
          <Choice key={type} isChosen={chosen.has(type)} onToggle={() => onToggle(type)}>
            {type} <span className="muted">{description}</span>
          </Choice>
        ))}
    </fieldset>
  );
}
