// Decides which provider reads a file: the one that the request or a rule of the organization names, or the one for the type of the file.
import { ExtractionError, type ExtractionProvider } from '@kiln/extraction';
import { routeProvider } from '@kiln/extraction/routing';
import type { RunContext } from '../run-context.port.js';

export const EXTRACT_PROGRESS = 0.1;

export const typeOf = (file: RunContext['file']) => file.content_type ?? 'application/octet-stream';

/** @throws ExtractionError unsupported_type for a type that no provider reads. */
export async function routeFile({ job, file, policy, progress }: RunContext): Promise<ExtractionProvider> {
  const contentType = typeOf(file);
  const { provider: requested } = job.processing;
  const ruled = requested ? null : await policy.ruledProvider(contentType);
  const provider = routeProvider(contentType, { requested, ruled });
  progress.routeTo(provider);
  if (provider !== null) return provider;
  progress.begin('extract', EXTRACT_PROGRESS);
  throw new ExtractionError(
    'unsupported_type',
    `Files of type ${contentType} can't be processed by this installation.`,
  );
}
