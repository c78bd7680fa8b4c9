import { isoDate } from '@kiln/pdf/iso-date';
import { unescapeXml } from '../xml/unescape-xml.js';

/** The part of an office file with its title and author, as Dublin Core elements (ISO/IEC 29500-2). */
export const corePropertiesPart = 'docProps/core.xml';

/** The part in which the program that saved the file states its properties (ISO/IEC 29500-1, 22.2). */
export const applicationPropertiesPart = 'docProps/app.xml';

export interface CoreProperties {
  title: string | null;
  author: string | null;
  language: string | null;
  details: Record<string, string | number>;
}

const detailElements = {
  subject: 'dc:subject',
  keywords: 'cp:keywords',
  description: 'dc:description',
  category: 'cp:category',
  last_modified_by: 'cp:lastModifiedBy',
};
const dateElements = { created: 'dcterms:created', modified: 'dcterms:modified' };
const applicationElements = { application: 'Application', company: 'Company' };

/** `application`: the text of {@link applicationPropertiesPart}. */
export function readCoreProperties(xml: string | null, application: string | null = null): CoreProperties {
  const details: Record<string, string | number> = {
    ...textsOf(xml, detailElements),
    ...textsOf(application, applicationElements),
  };
  for (const [name, element] of Object.entries(dateElements)) {
    const date = isoDate(elementText(xml, element));
    if (date !== null) details[name] = date;
  }
  const language = elementText(xml, 'dc:language');
  return {
    title: elementText(xml, 'dc:title'),
    author: elementText(xml, 'dc:creator'),
    language: /^([a-z]{2,3})\b/i.exec(language ?? '')?.[1]?.toLowerCase() ?? null,
    details,
  };
}

/** The pages that Word counted when it saved the file. Other programs copy the number from a template. */
export function statedPageCount(application: string | null): number | null {
  const count = Number(elementText(application, 'Pages') ?? Number.NaN);
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}

function textsOf(xml: string | null, elements: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(elements).flatMap(([name, element]) => {
      const text = elementText(xml, element);
      return text === null ? [] : [[name, text]];
    }),
  );
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
