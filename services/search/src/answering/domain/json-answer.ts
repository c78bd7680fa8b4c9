// An answer in JSON. Each string and number is compared with the excerpts, like a statement. What no excerpt contains stays, because a schema
// may require it, and is named. Links that no source contains are removed before that.
import type { AnswerSchema } from '@kiln/contracts';
import { EventLoopBudget } from '@kiln/platform';
import { recordOf } from '@kiln/model-clients/http/record-of';
import { z } from 'zod';
import type { Evidence, Support } from './evidence.js';
import { withoutUnknownLinks, type SourceAddresses } from './link-filter.js';
import { sentencesOf } from './sentences.js';

/** The model gives its answer as `answer`, or null when the excerpts do not answer the question. */
export const replySchemaOf = (schema: AnswerSchema) => ({
  type: 'object',
  properties: { answer: { anyOf: [schema, { type: 'null' }] } },
  required: ['answer'],
  additionalProperties: false,
});

const FENCE = /^\s*```(?:json)?\s*|\s*```\s*$/g;
const VALUES_MAX = 2_000;
const WORD_BOUNDARIES = /(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu;

export type Reply = { value: unknown } | { problem: string };

/** Reads the reply of a model: the value for the schema, with known links only, or what is wrong with it. */
export function readReply(reply: string, schema: AnswerSchema, known: SourceAddresses): Reply {
  let json: unknown;
  try {
    json = JSON.parse(reply.replace(FENCE, ''));
  } catch {
    return { problem: 'it is not JSON' };
  }
  const { answer } = recordOf(json);
  if (answer === undefined) return { problem: 'it has no "answer"' };
  if (answer === null) return { value: null };
  if (countOf(answer) > VALUES_MAX) return { problem: `it has more than ${VALUES_MAX} values` };
  const value = withKnownLinks(answer, known);
  const { error } = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  return error ? { problem: z.prettifyError(error) } : { value };
}

/** Strings and the names of members lose their other links: a model can choose both. */
function withKnownLinks(value: unknown, known: SourceAddresses): unknown {
  if (typeof value === 'string') return withoutUnknownLinks(value, known);
  if (Array.isArray(value)) return value.map((item) => withKnownLinks(item, known));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [withoutUnknownLinks(name, known), withKnownLinks(member, known)]),
  );
}

/** A string or number of an answer. */
interface Value {
  /** A JSON Pointer (RFC 6901). */
  pointer: string;
  /** Where it begins in the text of the answer. */
  position: number;
  /** The name of the nearest member. */
  name: string;
  content: string | number;
}

interface ProvenJson {
  text: string;
  citations: { pointer: string; position: number; support: Support }[];
  /** The pointers of values that no excerpt contains. */
  unsupported: string[];
}

export async function proveJson(value: unknown, evidence: Evidence): Promise<ProvenJson> {
  const writer = new JsonWriter();
  writer.write(value);
  const proven: ProvenJson = { text: writer.text, citations: [], unsupported: [] };
  const budget = new EventLoopBudget();
  for (const value of writer.values) {
    if (budget.isSpent) await budget.renew();
    const supports = supportsOf(value, evidence);
    const { pointer, position } = value;
    if (supports === null) proven.unsupported.push(pointer);
    else proven.citations.push(...supports.map((support) => ({ pointer, position, support })));
  }
  return proven;
}

/** One for each sentence of a string. None when there is nothing to compare. Null when a sentence, or the number, has no support. */
function supportsOf({ content, name }: Value, evidence: Evidence): Support[] | null {
  if (typeof content === 'number') {
    const support = evidence.supportOfNumber(content, name.replace(WORD_BOUNDARIES, ' '));
    return support && [support];
  }
  if (!evidence.isComparable(content)) return [];
  const sentences = sentencesOf(content).map(({ text }) => text);
  const statements = sentences.filter((sentence) => !evidence.isFragment(sentence));
  const supports = (statements.length > 0 ? statements : [content]).map((text) => evidence.supportOf(text, []));
  return supports.every((each) => each !== null) ? supports.flat() : null;
}

/** Writes JSON without white space, and remembers where its values stand. */
class JsonWriter {
  text = '';
  readonly values: Value[] = [];

  write(value: unknown, pointer = '', name = ''): void {
    if (Array.isArray(value)) {
      this.writeAll('[', value.entries(), ']', (at, item) => this.write(item, `${pointer}/${at}`, name));
    } else if (typeof value === 'object' && value !== null) {
      this.writeAll('{', Object.entries(value).values(), '}', (key, member) => {
        this.text += `${JSON.stringify(key)}:`;
        this.write(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, key);
      });
    } else {
      const isCompared = typeof value === 'string' || typeof value === 'number';
      if (isCompared) this.values.push({ pointer, position: this.text.length, name, content: value });
      this.text += JSON.stringify(value);
    }
  }

  private writeAll<Key, Item>(
    open: string,
    items: Iterable<[Key, Item]>,
    close: string,
    write: (key: Key, item: Item) => void,
  ): void {
    let separator = open;
    for (const [key, item] of items) {
      this.text += separator;
      write(key, item);
      separator = ',';
    }
    this.text += separator === open ? open + close : close;
  }
}

function countOf(value: unknown): number {
  let count = 0;
  for (const open = [value]; open.length > 0; count++) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next));
  }
  return count;
}
