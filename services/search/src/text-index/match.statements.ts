// The SQL of a match beside the index that searches read too.
import { statement } from '@kiln/platform';

/** Hot: the first statement of each match. */
export const readLanguages = statement(
  'search.read_languages',
  'select language from tenant_languages where tenant_id = $1',
);

/** Hot: returns packed ids, because the driver takes ten times as long to read a row for each. $1 tenant, $2 numbers of first passages. */
export const readNumbered = statement(
  'search.read_numbered',
  `select replace(encode(coalesce(string_agg(uuid_send(file_id), ''), ''), 'base64'), e'\\n', '') as packed
     from files where tenant_id = $1 and first_number = any($2::int8[])`,
);

/** The files of which the remote index has the current version. $1 tenant, $2 files. */
export const readServedAmong = statement(
  'search.read_served_among',
  'select file_id from opensearch_files where tenant_id = $1 and file_id = any($2::uuid[]) and served',
);
