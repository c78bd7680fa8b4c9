import { readFile } from 'node:fs/promises';
import { charsetOf } from '@kiln/file-types/content-type';
import { decodeText } from '../charset/decode-text.js';
import type { Engine, EngineOutput } from '../engine.js';

/** The maximum length of front matter. A longer block is text that begins with a rule. */
const frontMatterLinesMax = 200;
/** Metadata holds so much of a field. A longer text, such as an abstract, stays in the markdown. */
const valueCharactersMax = 1000;
/** A picture inside the text, as Google Docs exports it. It can be larger than the text, and says nothing to a search or a model. */
const pictureData = /data:[a-z]+\/[\w.+-]{1,60}(?:;[\w=-]{1,60}){0,4};base64,[A-Za-z0-9+/=%]{200,}/gi;
const noData = 'data:,';
/** The beginning of a text of several lines (YAML 1.2, 8.1). */
const blockScalar = /^[|>][+-]?\d?[+-]?$/;

export const extractMarkdown: Engine = async ({ path, contentType }) =>
  readMarkdown({ bytes: await readFile(path), contentType });

/** Keeps markdown as it is, without the data of pictures, and moves its front matter to the metadata. */
export function readMarkdown({ bytes, contentType }: { bytes: Uint8Array; contentType: string }): EngineOutput {
  const { text, encoding } = decodeText(bytes, charsetOf(contentType));
  const { fields, body } = splitFrontMatter(text);
  return {
    markdown: body.replace(pictureData, noData),
    pages: null,
    pageCount: null,
    title: textField(fields, 'title'),
    author: textField(fields, 'author'),
    language: languageField(fields),
    details: fields === null ? { encoding } : { encoding, front_matter: fields },
  };
}

type FrontMatter = Record<string, string | string[]>;

/** Reads scalars and lists of scalars from YAML or TOML front matter. Authors rarely write more. */
export function splitFrontMatter(text: string): { fields: FrontMatter | null; body: string } {
  const fence = /^(---|\+\+\+)[ \t]*\n/.exec(text)?.[1];
  if (fence === undefined) return { fields: null, body: text };
  const lines = text.split('\n', frontMatterLinesMax + 1);
  const last = lines.findIndex((line, index) => index > 0 && line.trimEnd() === fence);
  if (last === -1) return { fields: null, body: text };
  const fields = parseFields(lines.slice(1, last));
  if (fields === null) return { fields: null, body: text };
  if (Object.values(fields).some((field) => field.length > valueCharactersMax && typeof field === 'string'))
    return { fields, body: text };
  const bodyStart = lines.slice(0, last + 1).reduce((length, line) => length + line.length + 1, 0);
  return { fields, body: text.slice(bodyStart).replace(/^\n+/, '') };
}

function parseFields(lines: readonly string[]): FrontMatter | null {
  const fields: FrontMatter = Object.create(null) as FrontMatter;
  let name: string | null = null;
  /** What joins the lines of the open text. Null for a field that is no text of several lines. */
  let joint: string | null = null;
  for (const line of lines) {
    const item = joint === null ? /^\s*-\s+(.*)$/.exec(line) : null;
    const field = /^([\w.-]+)\s*[:=]\s*(.*)$/.exec(line);
    if (item !== null && name !== null) {
      const list = fields[name];
      fields[name] = [...(Array.isArray(list) ? list : []), scalar(item[1] ?? '')];
    } else if (field !== null) {
      name = field[1] ?? '';
      const stated = (field[2] ?? '').trim();
      joint = blockScalar.test(stated) ? (stated.startsWith('|') ? '\n' : ' ') : null;
      fields[name] = joint === null ? value(stated) : '';
    } else if (/^\s+\S/.test(line)) {
      if (name !== null) fields[name] = continued(fields[name] ?? '', line.trim(), joint);
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      return null;
    }
  }
  return { ...fields };
}

/** A field with one more line. The lines of a nested field are left out. */
function continued(before: string | string[], line: string, joint: string | null): string | string[] {
  if (typeof before !== 'string' || (before === '' && joint === null)) return before;
  return before === '' ? line : `${before}${joint ?? ' '}${line}`;
}

function value(text: string): string | string[] {
  const list = /^\[(.*)\]$/.exec(text.trim());
  return list === null
    ? scalar(text)
    : (list[1] ?? '')
        .split(',')
        .map(scalar)
        .filter((entry) => entry !== '');
}

function scalar(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}

function textField(fields: FrontMatter | null, name: string): string | null {
  const found = fields?.[name];
  const text = Array.isArray(found) ? found.join(', ') : found;
  return text === undefined || text === '' ? null : text;
}

function languageField(fields: FrontMatter | null): string | null {
  const stated = textField(fields, 'language') ?? textField(fields, 'lang');
  return stated !== null && /^[a-z]{2,3}(-|_|$)/i.test(stated)
    ? stated.slice(0, 3).replace(/[-_]$/, '').toLowerCase()
    : null;
}
