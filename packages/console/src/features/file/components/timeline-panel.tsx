import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { POLL_MS } from '../../../api/recheck.js';
import { useStreamState } from '../../../api/use-live-events.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Notice } from '../../../ui/view-states.js';
import { attemptsOf, durationText, engineNames, stepNames, type TimelineEntry } from '../lib/attempts.js';
import { jobQuery, type FileDetail } from '../queries.js';

export function TimelinePanel({ file }: { file: FileDetail }) {
  const mayRead = useMay('jobs:read');
  if (!mayRead) {
    return (
      <Notice icon="alert" title="Not permitted">
        This key may not see jobs: it lacks the scope jobs:read.
      </Notice>
    );
  }
  if (file.job_id === null) {
    return (
      <Notice icon="file" title="No job">
        The file was not processed yet. Reprocess starts a job.
      </Notice>
    );
  }
  return <JobTimeline fileId={file.id} jobId={file.job_id} />;
}

function JobTimeline({ fileId, jobId }: { fileId: string; jobId: string }) {
  const stream = useStreamState();
  const {
    data: job,
    error,
    refetch,
  } = useQuery({
    ...jobQuery(useKiln(), fileId, jobId),
    refetchInterval: ({ state }) => (stream === 'refused' && state.data?.ended_at === null ? POLL_MS : false),
  });
  if (!job) return <NotLoaded error={error} refetch={refetch} rows={8} label="Loading the timeline" />;
  const attempts = attemptsOf(job.timeline);
  const isErrorOfStep = job.timeline.some((entry) => entry.error?.message === job.error?.message);
  return (
    <section className="timeline card" aria-label="Timeline" data-stale={error !== null}>
      <header>
        <h2>
          Job <code>{job.id}</code>
        </h2>
        <StatusBadge status={job.status} />
      </header>
      {job.status === 'processing' && <ProgressBar value={job.progress} label="Progress of the job" />}
      {job.error && !isErrorOfStep && (
        <p className="timeline-error" role="status">
          {job.error.message}
        </p>
      )}
      {attempts.length === 0 && <p className="timeline-empty muted">No attempt has started yet.</p>}
      {attempts.map(({ number, steps }) => (
        <section key={number} aria-label={`Attempt ${number}`}>
          <h3>Attempt {number}</h3>
          <ol>
            {steps.map((entry) => (
              <Step key={`${entry.step ?? ''} ${entry.started_at}`} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
}

function Step({ entry: { step, provider, status, duration_ms: duration, error } }: { entry: TimelineEntry }) {
  return (
    <li>
      <strong>{step === null ? 'Before the first step' : (stepNames[step] ?? step)}</strong>
      <span className="muted">{provider === null ? '' : (engineNames[provider] ?? provider)}</span>
      <StatusBadge status={status} />
      <span className="timeline-duration muted">{duration === null ? '' : durationText(duration)}</span>
      {error && <span className="timeline-error">{error.message}</span>}
    </li>
  );
}
