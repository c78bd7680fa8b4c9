/** The tags and texts of well-formed XML, in order. The work is linear: each character is read once. */
export type XmlToken =
  | ({ kind: 'open'; name: string; attributes: readonly XmlAttribute[]; isEmpty: boolean } & TagPlace)
  | ({ kind: 'close'; name: string } & TagPlace)
  | { kind: 'text'; text: string };

/** Where the tag is in the XML. */
interface TagPlace {
  start: number;
  end: number;
}

export interface XmlAttribute {
  name: string;
  value: string;
}

export class MalformedXmlError extends Error {
  override readonly name = 'MalformedXmlError';
}

const tagName = /[^\s/>=<"']+/y;
const attributePattern = /\s+([^\s/>=<"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const openEnd = /\s*(\/?)>/y;
const closeEnd = /\s*>/y;
/** The beginnings and ends of constructs that start with `<` but are not tags. */
const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/** @throws MalformedXmlError */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (let at = 0; at < xml.length;) {
    const start = xml.indexOf('<', at);
    if (start === -1) return;
    if (start > at) yield { kind: 'text', text: xml.slice(at, start) };
    const skip = skipped.find(([beginning]) => xml.startsWith(beginning, start));
    if (skip !== undefined) {
      const [beginning, ending] = skip;
      const end = xml.indexOf(ending, start + beginning.length);
      if (end === -1) throw new MalformedXmlError(`${beginning} without an end`);
      if (beginning === '<![CDATA[') yield { kind: 'text', text: xml.slice(start + beginning.length, end) };
      at = end + ending.length;
    } else if (xml[start + 1] === '/') {
      const name = match(tagName, xml, start + 2)[0];
      match(closeEnd, xml, tagName.lastIndex);
      at = closeEnd.lastIndex;
      yield { kind: 'close', name, start, end: at };
    } else {
      const token = openTag(xml, start);
      at = token.end;
      yield token;
    }
  }
}

function openTag(xml: string, start: number): XmlToken & TagPlace {
  const name = match(tagName, xml, start + 1)[0];
  const attributes: XmlAttribute[] = [];
  let at = tagName.lastIndex;
  for (;;) {
    attributePattern.lastIndex = at;
    const found = attributePattern.exec(xml);
    if (found === null) break;
    attributes.push({ name: found[1] ?? '', value: found[2] ?? found[3] ?? '' });
    at = attributePattern.lastIndex;
  }
  const isEmpty = match(openEnd, xml, at)[1] === '/';
  return { kind: 'open', name, attributes, isEmpty, start, end: openEnd.lastIndex };
}

function match(pattern: RegExp, xml: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(xml);
  if (found === null) throw new MalformedXmlError(`no tag at ${at}`);
  return found;
}
