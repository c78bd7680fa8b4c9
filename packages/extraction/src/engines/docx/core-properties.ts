/** The part of an office file with its title and author, as Dublin Core elements (ISO/IEC 29500-2). */
export const corePropertiesPart = 'docProps/core.xml';

export interface CoreProperties {
  title: string | null;
  author: string | null;
  language: string | null;
  details: Record<string, string>;
}

const detailElements = {
  subject: 'dc:subject',
  keywords: 'cp:keywords',
  description: 'dc:description',
  last_modified_by: 'cp:lastModifiedBy',
  created: 'dcterms:created',
  modified: 'dcterms:modified',
};

export function readCoreProperties(xml: string | undefined): CoreProperties {
  const details: Record<string, string> = {};
  for (const [name, element] of Object.entries(detailElements)) {
    const text = elementText(xml, element);
    if (text !== null) details[name] = text;
  }
  const language = elementText(xml, 'dc:language');
  return {
    title: elementText(xml, 'dc:title'),
    author: elementText(xml, 'dc:creator'),
    language: /^([a-z]{2,3})\b/i.exec(language ?? '')?.[1]?.toLowerCase() ?? null,
    details,
  };
}

function elementText(xml: string | undefined, element: string): string | null {
  const start = xml?.indexOf(`<${element}`) ?? -1;
  if (xml === undefined || start === -1) return null;
  const opened = xml.indexOf('>', start);
  const end = xml.indexOf(`</${element}>`, opened);
  if (opened === -1 || end === -1) return null;
  const text = unescapeXml(xml.slice(opened + 1, end))
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? null : text.slice(0, 1000);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ' ';
  });
}
