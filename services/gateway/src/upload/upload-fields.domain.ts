// Multipart fields are text. Converts each to the type of the JSON field of the same name, and checks all by the same schema.
import { badRequest, filenameSchema, jsonUploadSchema, parseInput, uploadFieldsSchema } from '@kiln/contracts';
import { z } from 'zod';
import type { RequestIds } from '../idempotency/request-ids.domain.js';

/** The texts of a multipart body, by their names. */
export type Fields = ReadonlyMap<string, string>;

export type UploadFields = z.output<typeof jsonUploadSchema>;

const JSON_FIELDS = new Set(['metadata', 'chunking', 'variants']);
const partSchema = z.object({ filename: filenameSchema.optional() });
const known = Object.keys(uploadFieldsSchema.shape);

/** Returns the fields of a whole upload. The `filename` field overrides the name of the part. Throws BAD_REQUEST. */
export function parseUploadFields(fields: Fields, partFilename: string | undefined): UploadFields {
  const typed = typedFields(fields);
  const filename = typed['filename'] ?? partFilename;
  if (filename === undefined)
    throw badRequest('filename is required: give the file part a filename, or send this field');
  const upload = parseInput(jsonUploadSchema, { ...typed, filename });
  assertReplaceable(upload);
  return upload;
}

/** Throws BAD_REQUEST. */
export function assertReplaceable({ on_conflict: onConflict, external_id: externalId }: Partial<UploadFields>): void {
  if (onConflict === 'replace' && externalId === undefined) {
    throw badRequest('external_id is required with on_conflict=replace: it identifies the file');
  }
}

/** Refuses fields that are wrong before the bytes are stored. A `filename` field before the file stands in place of the name of the part. */
export function checkFieldsSoFar(fields: Fields, partFilename: string | undefined): void {
  if (!fields.has('filename')) parseInput(partSchema, { filename: partFilename });
  if (fields.size > 0) parseInput(uploadFieldsSchema, typedFields(fields));
}

/** `job_id` is null if the file is not to be processed. `entry` distinguishes the files of one request. */
export const newFileIds = (
  { skip_processing }: Pick<UploadFields, 'skip_processing'>,
  ids: RequestIds,
  entry = '',
) => ({
  file_id: ids.id('file', entry),
  job_id: skip_processing ? null : ids.id('job', entry),
});

function typedFields(fields: Fields): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const name of known) {
    const text = fields.get(name);
    if (text !== undefined) typed[name] = typedValue(name, text);
  }
  return typed;
}

/** Text that is not valid for the field's type stays text, and the schema refuses it. */
function typedValue(name: string, text: string): unknown {
  if (JSON_FIELDS.has(name)) return parseJsonField(name, text);
  if (name === 'size_bytes') return /^\d{1,16}$/.test(text) ? Number(text) : text;
  if (name === 'skip_processing') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function parseJsonField(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`${name} must be JSON`);
  }
}
