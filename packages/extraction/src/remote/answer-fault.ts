// The faults of an engine that its answer shows. As an ExtractionError, a fault can come out of the sandbox.
import { ExtractionError } from '@kiln/pdf/extraction-error';

const FAULTS = ['malformed', 'repetitive'] as const;
type AnswerFault = (typeof FAULTS)[number];

export const answerFault = (fault: AnswerFault, cause?: unknown): ExtractionError =>
  new ExtractionError('corrupt_file', fault, { cause });

/** Null for an error about the file. */
export function answerFaultOf(error: unknown): AnswerFault | null {
  if (!(error instanceof ExtractionError)) return null;
  return FAULTS.find((fault) => fault === error.message) ?? null;
}
