// The steps of a run, with the engines that the operator has configured.
import type { Sandbox } from '@kiln/extraction';
import { EmbeddingEngines } from '@kiln/model-clients/embedding/embedding-engines';
import { ModelServers } from '@kiln/model-clients/admission/model-servers';
import type { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import {
  embeddingServers,
  EXTRACTION_CALLBACK,
  Signer,
  type EmbeddingConfig,
  type ExtractorConfig,
  type Logger,
  type Metrics,
} from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { z } from 'zod';
import type { callbackVariables } from '../config.js';
import type { EngineAdmissions } from '../engines/engine-admissions.service.js';
import type { ExtractionStore } from '../extractions/extraction.store.js';
import { OwnExtractors } from '../extractions/own-extractors.service.js';
import { ExtractionEngines } from './engines/extraction-engines.service.js';
import type { RunServices } from './run-services.adapter.js';
import { DocumentReader } from './steps/document-reader.service.js';
import { EmbedStep } from './steps/embed.step.js';
import { ExtractStep } from './steps/extract.step.js';
import { IndexStep } from './steps/index.step.js';
import type { SourceFile } from './steps/source-file.service.js';
import { ThumbnailStep } from './steps/thumbnail.step.js';

/** Starting over costs more than waiting a little for the rest of the embeddings. */
const EMBEDDING_PATIENCE_MS = 30_000;
const EMBEDDING_ROUNDS = 4;

export type StepsConfig = ExtractorConfig &
  EmbeddingConfig &
  Readonly<z.output<z.ZodObject<typeof callbackVariables>>> & {
    readonly KILN_ENCRYPTION_KEY: string;
  };

export interface StepParts {
  objects: ObjectStore;
  sandbox: Sandbox;
  http: ProviderHttp;
  /** Connects to addresses that callers choose. */
  outsideHttp: ProviderHttp;
  extractions: ExtractionStore;
  admissions: EngineAdmissions;
  source: SourceFile;
  services: RunServices;
  metrics: Pick<Metrics, 'counter'>;
  logger: Logger;
  expensiveMs?: number | undefined;
}

type OnFailure = (engine: string, error: Error & { code: string }) => void;

export function runSteps(
  config: StepsConfig,
  {
    objects,
    sandbox,
    http,
    outsideHttp,
    extractions,
    admissions,
    source,
    services,
    metrics,
    logger,
    expensiveMs,
  }: StepParts,
) {
  const failures = metrics.counter(
    'kiln_engine_failures_total',
    'Requests to extraction and embedding engines that failed, by engine and reason; a later engine may have done the work',
    ['engine', 'reason'],
  );
  const onFailure: OnFailure = (engine, error) => {
    failures.add(1, { engine, reason: 'fault' in error ? String(error.fault) : error.code });
    logger.warn({ err: error, engine }, 'Request to an engine failed');
  };
  const engines = new ExtractionEngines({ config, sandbox, http, admissions, onFailure });
  const callbacks = {
    signer: new Signer(config.KILN_ENCRYPTION_KEY, EXTRACTION_CALLBACK),
    publicUrl: config.KILN_CALLBACK_URL,
    seconds: config.KILN_EXTRACTOR_CALLBACK_SECONDS,
  };
  const ownExtractors = new OwnExtractors({
    config,
    http: outsideHttp,
    objects,
    extractions,
    sandbox,
    callbacks,
    admissions,
    onFailure,
  });
  const embedding = embeddingEngines(config, { http, admissions, onFailure });
  return {
    extract: new ExtractStep({
      objects,
      engines,
      ownExtractors,
      source,
      reader: new DocumentReader(source, sandbox),
      sandbox,
      expensiveMs,
    }),
    thumbnails: new ThumbnailStep(source, sandbox),
    embed: new EmbedStep(objects, embedding, {
      inputsMax: config.KILN_EMBEDDING_BATCH_INPUTS,
      charactersMax: config.KILN_EMBEDDING_BATCH_CHARACTERS,
    }),
    index: new IndexStep(services),
  };
}

function embeddingEngines(
  config: StepsConfig,
  { http, admissions, onFailure }: Pick<StepParts, 'http' | 'admissions'> & { onFailure: OnFailure },
) {
  const servers = embeddingServers(config);
  const limits = { ...servers, patienceMs: EMBEDDING_PATIENCE_MS };
  return new EmbeddingEngines({
    servers: new ModelServers({
      provider: 'embedding',
      ...limits,
      admissionFor: ({ url, keyOwner }) =>
        admissions.admissionFor({ provider: 'embedding', url, owner: keyOwner }, limits),
    }),
    http,
    models: config.KILN_EMBEDDING_MODEL,
    dimensions: config.KILN_EMBEDDING_DIMENSIONS,
    deadlineMs: config.KILN_EMBEDDING_DEADLINE_MS,
    fallback: { rounds: EMBEDDING_ROUNDS, onFailure },
  });
}
