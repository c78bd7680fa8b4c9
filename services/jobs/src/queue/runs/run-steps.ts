// The steps of a run, with the engines that the operator has configured.
import type { Sandbox } from '@kiln/extraction';
import type { ProviderHttp } from '@kiln/extraction/remote';
import type { EmbeddingConfig, ExtractorConfig, Logger, Metrics } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { BucketDownload } from './bucket/bucket-download.js';
import { EmbeddingEngines } from './engines/embedding-engines.js';
import { ExtractionEngines } from './engines/extraction-engines.js';
import type { RunServices } from './run-services.adapter.js';
import { DocumentReader } from './steps/document-reader.js';
import { EmbedStep } from './steps/embed.step.js';
import { ExtractStep } from './steps/extract.step.js';
import { IndexStep } from './steps/index.step.js';
import { SourceFile } from './steps/source-file.js';

export type StepsConfig = ExtractorConfig & EmbeddingConfig & { readonly KILN_EXTRACTION_INPUT_BYTES: number };

export interface StepParts {
  objects: ObjectStore;
  sandbox: Sandbox;
  http: ProviderHttp;
  buckets: BucketDownload;
  services: RunServices;
  metrics: Pick<Metrics, 'counter'>;
  logger: Logger;
}

export function runSteps(
  config: StepsConfig,
  { objects, sandbox, http, buckets, services, metrics, logger }: StepParts,
) {
  const failures = metrics.counter(
    'kiln_engine_failures_total',
    'Requests to extraction and embedding engines that failed, by engine and reason; a later engine may have done the work',
    ['engine', 'reason'],
  );
  const onFailure = (engine: string, error: Error & { code: string }): void => {
    failures.add(1, { engine, reason: 'fault' in error ? String(error.fault) : error.code });
    logger.warn({ err: error, engine }, 'Request to an engine failed');
  };
  const source = new SourceFile(objects, config.KILN_EXTRACTION_INPUT_BYTES, buckets);
  const engines = new ExtractionEngines({ config, sandbox, http, onFailure });
  const embedding = new EmbeddingEngines({ config, http, onFailure });
  return {
    extract: new ExtractStep({ objects, engines, source, reader: new DocumentReader(source), sandbox }),
    embed: new EmbedStep(embedding, {
      inputsMax: config.KILN_EMBEDDING_BATCH_INPUTS,
      charactersMax: config.KILN_EMBEDDING_BATCH_CHARACTERS,
    }),
    index: new IndexStep(services),
  };
}
