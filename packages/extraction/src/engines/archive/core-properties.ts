import { unescapeXml } from '../xml/unescape-xml.js';

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

export function readCoreProperties(xml: string | null): CoreProperties {
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

function elementText(xml: string | null, element: string): string | null {
  const start = xml?.indexOf(`<${element}`) ?? -1;
  if (xml === null || start === -1) return null;
  const opened = xml.indexOf('>', start);
  const end = xml.indexOf(`</${element}>`, opened);
  if (opened === -1 || end === -1) return null;
  const text = unescapeXml(xml.slice(opened + 1, end))
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? null : text.slice(0, 1000);
}
