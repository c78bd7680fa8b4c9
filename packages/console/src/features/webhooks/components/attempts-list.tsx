import { formatCount } from '../../../ui/formats.js';
import { Time } from '../../../ui/time.js';
import { outcomeText } from '../lib/outcome.js';
import type { DeliveryDetail } from '../queries.js';

export function AttemptsList({ attempts }: Pick<DeliveryDetail, 'attempts'>) {
  return (
    <ol className="attempts" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.attempt}>
          <span className="attempt-number">{attempt.attempt}</span>
          <span data-failed={attempt.error !== null}>{outcomeText(attempt)}</span>
          <span className="muted">
            <Time value={attempt.attempted_at} />
            {attempt.duration_ms !== null && `, took ${formatCount(attempt.duration_ms)} ms`}
          </span>
        </li>
      ))}
    </ol>
  );
}
