import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { Failed, SkeletonRows } from '../../../ui/view-states.js';
import { subscribable, toggled, type Subscription, type WebhookForm } from '../lib/webhook-form.js';
import { eventTypesQuery } from '../queries.js';

interface WebhookFieldsProps {
  form: WebhookForm;
  /** A new webhook is always active. */
  hasState: boolean;
  onChange: (form: WebhookForm) => void;
}

export function WebhookFields({ form, hasState, onChange }: WebhookFieldsProps) {
  const [urlId, spacesId, hintId] = [useId(), useId(), useId()];
  const change = (part: Partial<WebhookForm>) => onChange({ ...form, ...part });
  return (
    <>
      <label htmlFor={urlId}>URL</label>
      <input
        id={urlId}
        type="url"
        value={form.url}
        placeholder="https://example.com/hooks/kiln"
        onChange={({ target }) => change({ url: target.value })}
      />
      <EventTypes chosen={form.events} onToggle={(type) => change({ events: toggled(form.events, type) })} />
      <label htmlFor={spacesId}>Spaces</label>
      <input
        id={spacesId}
        value={form.spaces}
        placeholder="All"
        aria-describedby={hintId}
        onChange={({ target }) => change({ spaces: target.value })}
      />
      <p id={hintId} className="muted">
        Separated by commas. With spaces, only events about their files are sent.
      </p>
      {hasState && (
        <label className="webhook-choice">
          <input type="checkbox" checked={form.active} onChange={() => change({ active: !form.active })} /> Active
        </label>
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
  if (!data) {
    if (error) return <Failed error={error} onRetry={() => void refetch()} />;
    return <SkeletonRows rows={4} label="Loading the event types" />;
  }
  return (
    <fieldset className="event-types">
      <legend>Event types</legend>
      <label className="webhook-choice">
        <input type="checkbox" checked={isAll} onChange={() => onToggle('*')} /> All, also later ones
      </label>
      {!isAll &&
        subscribable(data).map(({ type, description }) => (
          <label key={type} className="webhook-choice">
            <input type="checkbox" checked={chosen.has(type)} onChange={() => onToggle(type)} />
            <span>
              {type} <span className="muted">{description}</span>
            </span>
          </label>
        ))}
    </fieldset>
  );
}
