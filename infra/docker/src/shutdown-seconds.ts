// How long a process may take to shut down: the sum of its phases, with the settings that it is given.
import * as contracts from '@kiln/contracts';
import type { Operation } from '@kiln/contracts';
import { repositoryDirectory } from '@kiln/dev';
import { servicePhases } from '@kiln/platform';
import { join } from 'node:path';

type Settings = Readonly<Record<string, string>>;
type Phases = Readonly<Record<string, number>>;
interface Variable {
  parse(value: string | undefined): number;
}

const ofService = (service: string, file: string): Promise<Record<string, never>> =>
  import(join(repositoryDirectory, 'services', service, 'dist', file));

/** Only these settings: the names of the rest are of no interest. */
const parsed = (variables: Readonly<Record<string, Variable>>, names: readonly string[], settings: Settings) =>
  Object.fromEntries(names.map((name) => [name, variables[name]?.parse(settings[name] || undefined)]));

async function gatewayPhases(settings: Settings): Promise<Phases> {
  const drain: Record<string, never> = await ofService('gateway', 'drain.config.js');
  const { drainVariables, gatewayPhases: phasesOf } = drain as unknown as {
    drainVariables: Record<string, Variable>;
    gatewayPhases: (config: object) => Phases;
  };
  return phasesOf(parsed(drainVariables, ['KILN_DRAIN_SECONDS'], settings));
}

async function extractorPhases(settings: Settings): Promise<Phases> {
  const [{ extractionVariables }, { extractorPhases: phasesOf }] = (await Promise.all([
    ofService('jobs', 'extractor/extraction.config.js'),
    ofService('jobs', 'extractor/extractor-phases.config.js'),
  ])) as unknown as [
    { extractionVariables: Record<string, Variable> },
    { extractorPhases: (config: object) => Phases },
  ];
  return phasesOf(parsed(extractionVariables, ['KILN_EXTRACTION_DEADLINE_MS', 'KILN_OCR_DEADLINE_MS'], settings));
}

function phasesOfService(service: string, role: string): Phases {
  const name = `${service}${role === 'worker' ? 'Worker' : ''}Operations`;
  const operations = (contracts as unknown as Record<string, Record<string, Operation> | undefined>)[name];
  if (!operations) throw new Error(`no ${name} in the contracts`);
  return servicePhases(Object.values(operations));
}

export async function shutdownSeconds(
  { service, role }: { readonly service: string; readonly role: string },
  settings: Settings,
): Promise<number> {
  const phases =
    service === 'gateway'
      ? await gatewayPhases(settings)
      : role === 'extractor'
        ? await extractorPhases(settings)
        : phasesOfService(service, role);
  return Object.values(phases).reduce((sum, milliseconds) => sum + milliseconds, 0) / 1_000;
}
