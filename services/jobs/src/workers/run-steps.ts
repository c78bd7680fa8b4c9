// The steps of a run with the engines that the operator has set up for them.
import type { Sandbox } from '@kiln/extraction';
import type { ProviderHttp } from '@kiln/extraction/remote';
import type { EmbeddingConfig, ExtractorConfig, Logger, Metrics, RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { BucketDownload } from '../adapters/bucket-download.js';
import { EmbeddingEngines } from '../adapters/embedding-engines.js';
import { ExtractionEngines } from '../adapters/extraction-engines.js';
import { OutputStore } from './output-store.js';
import { DocumentReader } from './steps/document-reader.js';
import { EmbedStep } from './steps/embed.step.js';
import { ExtractStep } from './steps/extract.step.js';
import { IndexStep } from './steps/index.step.js';
import { MetadataStep } from './steps/metadata.step.js';
import { SourceFile } from './steps/source-file.js';

export type StepsConfig = ExtractorConfig & EmbeddingConfig & { readonly KILN_EXTRACTION_INPUT_BYTES: number };

export interface StepParts {
  objects: ObjectStore;
  sandbox: Sandbox;
  http: ProviderHttp;
  buckets: BucketDownload;
  rpc: RpcClient;
  metrics: Pick<Metrics, 'counter'>;
  logger: Logger;
}

export function runSteps(config: StepsConfig, { objects, sandbox, http, buckets, rpc, metrics, logger }: StepParts) {
  const failures = metrics.counter(
    'kiln_engine_failures_total',
    'Requests to extraction and embedding engines that failed, by engine and reason; a later engine may have done the work',
    ['engine', 'reason'],
  );
  const onFailure = (engine: string, error: Error & { code: string }): void => {
    failures.inc({ engine, reason: 'fault' in error ? String(error.fault) : error.code });
    logger.warn({ err: error, engine }, 'an engine failed');
  };
  const outputs = new OutputStore(objects, rpc);
  const source = new SourceFile(objects, config.KILN_EXTRACTION_INPUT_BYTES, buckets);
  const extraction = new ExtractionEngines({ config, sandbox, http, onFailure });
  const embedding = new EmbeddingEngines({ config, http, onFailure });
  return {
    extract: new ExtractStep(objects, outputs, extraction, new DocumentReader(source), sandbox),
    metadata: new MetadataStep(outputs),
    embed: new EmbedStep(outputs, embedding, {
      inputsMax: config.KILN_EMBEDDING_BATCH_INPUTS,
      charactersMax: config.KILN_EMBEDDING_BATCH_CHARACTERS,
    }),
    index: new IndexStep(outputs, rpc),
  };
}
