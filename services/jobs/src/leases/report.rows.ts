// SQL that writes the report of a run into the row of its job.
import type { RunReport } from '../runs/domain/run-report.js';
import { storableJson } from '../runs/domain/storable-text.js';

/** The report as JSON text, for a parameter. Null: the run reports nothing. */
export function reportValue(report: RunReport | null | undefined): string | null {
  if (!report) return null;
  const { step, progress, provider, contentType, steps, usage } = report;
  return storableJson({
    step,
    progress,
    provider,
    content_type: contentType,
    steps,
    usage: usage?.parts,
    page_hundredths: usage?.pageHundredths,
  });
}

/** SQL: what an update of `jobs` sets from `report`, a jsonb value. A null report changes nothing. */
export const setReport = (report: string) => `step = coalesce(${report} ->> 'step', step),
     provider = case when ${report} is null then provider else ${report} ->> 'provider' end,
     content_type = coalesce(${report} ->> 'content_type', content_type),
     run_steps = coalesce(${report} -> 'steps', run_steps),
     usage = usage || coalesce(${report} -> 'usage', '{}'),
     page_hundredths = coalesce((${report} ->> 'page_hundredths')::int, page_hundredths)`;

/** SQL: the progress, which a run that completes sets to 1 instead. */
export const setProgress = (report: string) => `progress = coalesce((${report} ->> 'progress')::real, progress)`;
