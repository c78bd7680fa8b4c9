// Takes the result of an organization's own extractor. The gateway checks its signature and stores it in between the two calls.
import {
  encodeId,
  notFound,
  outputKey,
  uuidOf,
  type CallContext,
  type JobsInput,
  type JobsOutput,
} from '@kiln/contracts';
import { WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SealedProviderKeys } from '../organization/provider-keys/sealed-provider-keys.service.js';
import { jobsWakeUp } from '../wake-ups.events.js';
import { ExtractionStore, type ExtractionPlace } from './extraction.store.js';
import { RESULT_BYTES_MAX } from './result-limits.domain.js';

type Place = JobsInput<'getExtraction'>;

const placeOf = ({ job_id, extraction_id }: Place, tenantId: string): ExtractionPlace => ({
  tenantId,
  jobId: uuidOf('job', job_id),
  extractionId: uuidOf('extraction', extraction_id),
});
const gone = () =>
  notFound('No job waits for this result: its time has passed, or the job has ended, was retried or was deleted.');

/** A result is no output of a run. The fencing tokens of runs begin at 1. */
const NO_FENCE = 0;

@Injectable()
export class TakeResult {
  constructor(
    private readonly extractions: ExtractionStore,
    private readonly keys: SealedProviderKeys,
    private readonly wakeUp: WakeUp,
  ) {}

  async get(input: Place, { tenantId }: CallContext): Promise<JobsOutput<'getExtraction'>> {
    const place = placeOf(input, tenantId);
    const found = await this.extractions.findWanted(place);
    if (!found) throw gone();
    const { provider } = found.extraction;
    const key = await this.keys.find(tenantId, provider);
    if (!key || key.url === null) throw gone();
    return {
      provider,
      sealed_secret: key.sealed.toString('base64'),
      result_key: keyFor(place, found.file_id),
      result_bytes_max: RESULT_BYTES_MAX,
    };
  }

  async accept(
    { result_key: resultKey, ...input }: JobsInput<'acceptExtraction'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'acceptExtraction'>> {
    const place = placeOf(input, tenantId);
    const found = await this.extractions.findWanted(place);
    // The key comes from this service: one of another job is a bug of the caller.
    if (!found || !resultKey.startsWith(prefixOf(place, found.file_id))) throw gone();
    const answered = await this.extractions.answer(place, resultKey);
    if (answered?.isDue) this.wakeUp.sendShared(jobsWakeUp(answered.lane));
    return { accepted: answered !== null };
  }
}

const prefixOf = ({ tenantId, jobId, extractionId }: ExtractionPlace, fileId: string) =>
  outputKey(tenantId, fileId, jobId, NO_FENCE, `${encodeId('extraction', extractionId)}-`);

const keyFor = (place: ExtractionPlace, fileId: string) => `${prefixOf(place, fileId)}${uuidv7()}.json`;
