/** The names of a new service, read from the command line, and how they are filled into the template. */
import { NewServiceError } from './new-service-error.js';

export interface Names {
  /** Folder, schema and prefix of its operations: `billing`. */
  readonly service: string;
  /** Its purpose, without a full stop: `Invoices`. */
  readonly description: string;
  /** The entity of its first feature, in the singular: `invoice`. The plural is formed with -s. */
  readonly noun: string;
  /** When its first migration was written, in milliseconds. */
  readonly time: number;
}

export type Surroundings = Pick<Names, 'time'>;

/** Each service has its own version. */
export const FIRST_VERSION = '0.1.0';

const USAGE = 'Usage: npm run new:service <name> "<what it is for>" [noun]';

/** Postgres' reserved words, and the schema that all services share. Schemas and tables are named without quotes. */
const RESERVED = new Set(
  (
    'all analyse analyze and any array asc asymmetric authorization binary both case cast check collate collation column ' +
    'concurrently constraint create cross default deferrable desc distinct do else end except false fetch for foreign ' +
    'freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like ' +
    'limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary ' +
    'public references returning right select similar some symmetric table tablesample then to trailing true union ' +
    'unique user using variadic verbose when where window with ' +
    // The login of the operator on the broker.
    'operator'
  ).split(' '),
);

export function readNames(words: readonly string[], surroundings: Surroundings): Names {
  const [service = '', description = '', noun = 'note'] = words;
  if (!/^[a-z]{3,20}$/.test(service) || RESERVED.has(service)) {
    throw invalid('The name must be 3 to 20 letters a-z, and no reserved word of SQL.');
  }
  const about = description.trim().replace(/\.$/, '');
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ,'()-]{2,99}$/u.test(about)) {
    throw invalid('What it is for must be 3 to 100 letters, digits, spaces, commas, hyphens, apostrophes or brackets.');
  }
  if (!/^[a-z]{3,20}$/.test(noun) || /([sxzy]|ch|sh)$/.test(noun) || RESERVED.has(`${noun}s`)) {
    throw invalid('The noun must be 3 to 20 letters a-z, with a plural that only adds an s.');
  }
  return { ...surroundings, service, description: about, noun };
}

/** The names of the template in a text or a path, replaced. */
export function fillIn(text: string, names: Names): string {
  const { service, description, noun } = names;
  return text
    .replaceAll('__name__', service)
    .replaceAll('__Name__', capitalised(service))
    .replaceAll('__description__', description)
    .replaceAll('__noun__', noun)
    .replaceAll('__Noun__', capitalised(noun))
    .replaceAll('__version__', FIRST_VERSION)
    .replaceAll('__version-in-names__', FIRST_VERSION.replaceAll('.', '-'))
    .replaceAll('__time__', String(names.time));
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const invalid = (problem: string) => new NewServiceError('name_invalid', `${problem}\n${USAGE}`);
