/** The installed models that the services use, where the operator has named no other servers. */
import { installedModels, MODEL_KINDS, type InstalledModel, type ModelKind } from '@kiln/models';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import { repositoryDirectory } from '../repository.js';
import type { LauncherConfig } from './config.js';

export interface LocalModels {
  readonly folders: readonly string[];
  readonly entry: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The variables that make the services use the server at the URL. */
  readonly variablesFor: (url: string) => Record<string, string>;
}

/** If the operator has set this variable, the services use another server. */
const URLS: Readonly<Record<ModelKind, string>> = { embedding: 'KILN_EMBEDDING_URL', reranking: 'KILN_RERANK_URL' };

const variables: Readonly<Record<ModelKind, (url: string, names: readonly string[]) => Record<string, string>>> = {
  // Between two small requests of documents, the server answers searches.
  embedding: (url, names) => ({
    KILN_EMBEDDING_URL: url,
    KILN_EMBEDDING_MODEL: names.join(','),
    KILN_EMBEDDING_BATCH_INPUTS: '16',
  }),
  // On one core, fifty texts take some seconds.
  reranking: (url, [name = '']) => ({ KILN_RERANK_URL: url, KILN_RERANK_MODEL: name, KILN_RERANK_DEADLINE_MS: '5000' }),
};
/** New files get the first embedding model. The others answer searches for files that have vectors of theirs. */
const several: ReadonlySet<ModelKind> = new Set(['embedding']);

/** Null when none is needed. Throws `config_invalid` when it is not clear which ones. */
export function localModels({ dataDirectory, inherited }: LauncherConfig): LocalModels | null {
  const wanted = inherited['KILN_LOCAL_MODELS'];
  if (wanted === 'none') return null;
  const installed = installedModels(join(dataDirectory, 'models'));
  const named = wanted === undefined ? installed : wanted.split(',').map((name) => find(installed, name.trim()));
  const kinds = MODEL_KINDS.filter((kind) => !inherited[URLS[kind]]);
  const chosen = kinds.flatMap((kind) => chosenOf(named, kind, wanted !== undefined && several.has(kind)));
  if (chosen.length === 0) return null;
  return {
    folders: chosen.map(({ folder }) => folder),
    entry: join(repositoryDirectory, 'packages/models/dist/main.js'),
    settings: Object.fromEntries(Object.entries(inherited).filter(([name]) => name.startsWith('KILN_MODELS_'))),
    variablesFor: (url) => {
      const namesOf = (kind: ModelKind) => chosen.filter((model) => model.kind === kind).map(({ name }) => name);
      const used = kinds.filter((kind) => namesOf(kind).length > 0);
      return Object.assign({}, ...used.map((kind) => variables[kind](url, namesOf(kind)))) as Record<string, string>;
    },
  };
}

/** Whether the services have embeddings, from a local model or another server. */
export const hasEmbeddings = (models: LocalModels | null, { inherited }: LauncherConfig): boolean =>
  Boolean(inherited['KILN_EMBEDDING_URL'] || inherited['KILN_EMBEDDING_BYOK_URL']) ||
  'KILN_EMBEDDING_URL' in (models?.variablesFor('') ?? {});

function find(installed: readonly InstalledModel[], name: string): InstalledModel {
  const model = installed.find((other) => other.name === name);
  if (model) return model;
  const names = installed.map((other) => other.name).join(', ') || 'none';
  throw new LauncherError(
    'config_invalid',
    `KILN_LOCAL_MODELS names ${name}, which is not installed. Installed: ${names}.`,
  );
}

function chosenOf(models: readonly InstalledModel[], kind: ModelKind, areSeveralAllowed: boolean): InstalledModel[] {
  const ofKind = models.filter((model) => model.kind === kind);
  if (ofKind.length <= 1 || areSeveralAllowed) return ofKind;
  const names = ofKind.map(({ name }) => name).join(', ');
  throw new LauncherError(
    'config_invalid',
    `Several ${kind} models are installed: ${names}. Name one in KILN_LOCAL_MODELS.`,
  );
}
