/** A recorded release on disk: JSON with a line for each field, so that a diff of two releases can be read. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Fields } from './flatten-schema.js';
import type { RecordedContracts } from './recorded-contracts.js';

/** `.files[].name?` is a field that may be missing; its types are joined by ` | `. */
type WrittenFields = Readonly<Record<string, string>>;

interface WrittenContracts {
  readonly commit: string;
  readonly operations: Readonly<
    Record<string, { revision: number; input: WrittenFields; item: WrittenFields | null; output: WrittenFields }>
  >;
  readonly events: Readonly<Record<string, WrittenFields>>;
}

const directory = new URL('../released/', import.meta.url);
const SEPARATOR = ' | ';

export const releasePath = (version: string): string => fileURLToPath(new URL(`${version}.json`, directory));

export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly contracts: RecordedContracts;
}

/** The newest recorded release. */
export function readLastRelease(): Release {
  const versions = readdirSync(directory).map((name) => name.replace(/\.json$/, ''));
  const [version = ''] = versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return { version, ...parseRelease(readFileSync(releasePath(version), 'utf8')) };
}

export function writeRelease({ commit, contracts: { operations, events } }: Omit<Release, 'version'>): string {
  const written: WrittenContracts = {
    commit,
    operations: Object.fromEntries(
      [...operations].map(([subject, { revision, input, item, output }]) => [
        subject,
        { revision, input: write(input), item: item && write(item), output: write(output) },
      ]),
    ),
    events: Object.fromEntries([...events].map(([type, fields]) => [type, write(fields)])),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

export function parseRelease(text: string): Omit<Release, 'version'> {
  const { commit, operations, events } = JSON.parse(text) as WrittenContracts;
  const contracts = {
    operations: new Map(
      Object.entries(operations).map(([subject, { revision, input, item, output }]) => [
        subject,
        { revision, input: parse(input), item: item && parse(item), output: parse(output) },
      ]),
    ),
    events: new Map(Object.entries(events).map(([type, fields]) => [type, parse(fields)])),
  };
  return { commit, contracts };
}

function write(fields: Fields): WrittenFields {
  const lines = [...fields].map(([path, { optional, types }]) => [
    `${path}${optional ? '?' : ''}`,
    types.join(SEPARATOR),
  ]);
  return Object.fromEntries(lines) as WrittenFields;
}

function parse(written: WrittenFields): Fields {
  return new Map(
    Object.entries(written).map(([key, types]) => [
      key.replace(/\?$/, ''),
      { optional: key.endsWith('?'), types: types.split(SEPARATOR) },
    ]),
  );
}
