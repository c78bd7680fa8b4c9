import { readOfficeProperties } from '../archive/office-properties.js';
import { Relationships } from '../archive/relationships.js';
import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine, EngineInput, EngineOutput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { element } from '../html/build-html.js';
import { documentOf } from '../html/html-document.js';
import type { HtmlElement } from '../html/html-node.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { PagedText } from '@kiln/pdf/markdown/paged-text';
import { placePieces } from '@kiln/pdf/markdown/place-pieces';
import { attributeOf, childrenNamed, childOf, parseXml, prefixedAttribute, type XmlElement } from '../xml/xml-tree.js';
import { SlideTemplate } from './list-styles.js';
import { authorNames, commentsContent } from './slide-comments.js';
import { notesContent, slideContent } from './slide-content.js';
import { PlaceholderFrames } from './slide-frames.js';
import { SlidePlaces, slideSize, shownSize } from './slide-places.js';

/** One page per slide, in the order of the presentation. Hidden slides are part of it, and are marked. */
export const extractPptx: Engine = (input, signal) =>
  ZipArchive.read(input, 'pptx', signal, (archive) => new Presentation(archive, input).read());

/** The number of slides, without reading them. */
export function countSlides(input: EngineInput, signal: AbortSignal): Promise<number> {
  return ZipArchive.read(input, 'pptx', signal, (archive) => new Presentation(archive, input).count());
}

/** Their places take at most 10 MiB as JSON. Later slides have none. */
const piecesMax = 250_000;

interface Template {
  template: SlideTemplate;
  frames: PlaceholderFrames;
}

class Presentation {
  private readonly templates = new Map<string, Template>();
  private readonly used = new Set<string>();
  /** The names of commenters, by their ids. */
  private readonly authors = new Map<string, string>();

  constructor(
    private readonly archive: ZipArchive,
    private readonly input: EngineInput,
  ) {}

  async count(): Promise<number> {
    return (await this.slideParts()).length;
  }

  async read(): Promise<EngineOutput> {
    const slides = await this.slideParts();
    await this.readAuthors();
    const size = slideSize(await this.parse(await this.mainPart()));
    const text = new PagedText();
    const hidden: number[] = [];
    let piecesLeft = piecesMax;
    for (const [index, part] of slides.entries()) {
      const slide = await this.parseOnce(part);
      const isHidden = /^(?:0|false)$/.test(attributeOf(slide, 'show') ?? '');
      if (isHidden) hidden.push(index + 1);
      const places = new SlidePlaces(size);
      const blocks = slide === null ? [] : await this.blocksOf(slide, part, { isHidden, places });
      const markdown = this.markdownOf(blocks, text.characters);
      const span = text.add(index + 1, markdown);
      const lines = placePieces(markdown, places.pieces.slice(0, piecesLeft), span.start);
      piecesLeft -= lines.length;
      Object.assign(span, shownSize(size), { lines });
    }
    const properties = await readOfficeProperties(this.archive);
    return {
      markdown: text.markdown,
      pages: text.pages,
      pageCount: slides.length,
      title: properties.title,
      author: properties.author,
      language: properties.language,
      details: { ...properties.details, ...(hidden.length === 0 ? {} : { hidden_slides: hidden }) },
    };
  }

  /** The addresses of the slides, in the order in which they are shown. */
  private async slideParts(): Promise<string[]> {
    const main = await this.mainPart();
    const presentation = await this.parse(main);
    const relationships = await this.relationshipsOf(main);
    return childrenNamed(childOf(presentation, 'sldIdLst'), 'sldId')
      .map((id) => relationships.part(prefixedAttribute(id, 'id')))
      .filter((part): part is string => part !== null);
  }

  private async mainPart(): Promise<string> {
    const root = await this.relationshipsOf('');
    const [part] = root.partsOf('officeDocument');
    if (part === undefined || !this.archive.has(part)) throw corruptFile('pptx', this.input.filename);
    return part;
  }

  private async readAuthors(): Promise<void> {
    const relationships = await this.relationshipsOf(await this.mainPart());
    for (const part of [...relationships.partsOf('commentAuthors'), ...relationships.partsOf('authors')])
      for (const [id, name] of authorNames(await this.parseOnce(part))) this.authors.set(id, name);
  }

  private async blocksOf(
    slide: XmlElement,
    part: string,
    { isHidden, places }: { isHidden: boolean; places: SlidePlaces },
  ): Promise<HtmlElement[]> {
    const relationships = await this.relationshipsOf(part);
    const { title, blocks } = await slideContent(slide, {
      ...(await this.templateOf(relationships)),
      places,
      relationships,
      part: async (id) => this.parseOnce(relationships.part(id)),
    });
    const notes = relationships.partsOf('notesSlide')[0] ?? null;
    const comments = await Promise.all(relationships.partsOf('comments').map((name) => this.parseOnce(name)));
    return [
      ...(title === '' ? [] : [element('h1', [title])]),
      ...(isHidden ? [element('p', [element('em', ['Hidden slide'])])] : []),
      ...blocks,
      ...(notes === null ? [] : notesContent(await this.parseOnce(notes), await this.relationshipsOf(notes))),
      ...comments.flatMap((part) => commentsContent(part, this.authors)),
    ];
  }

  private async templateOf(relationships: Relationships): Promise<Template> {
    const layout = relationships.partsOf('slideLayout')[0] ?? '';
    const known = this.templates.get(layout);
    if (known !== undefined) return known;
    const master = (await this.relationshipsOf(layout)).partsOf('slideMaster')[0] ?? null;
    const sheets = [await this.parse(layout), await this.parse(master)] as const;
    const template = { template: new SlideTemplate(...sheets), frames: new PlaceholderFrames(...sheets) };
    this.templates.set(layout, template);
    return template;
  }

  private markdownOf(blocks: readonly HtmlElement[], charactersBefore: number): string {
    const { filename, limits } = this.input;
    return toMarkdown(documentOf(blocks, filename), filename, limits.outputBytesMax, charactersBefore).trimEnd();
  }

  /** Slides, notes and charts belong to one place. A file could refer to one of them a million times. */
  private async parseOnce(part: string | null): Promise<XmlElement | null> {
    if (part === null || this.used.has(part)) return null;
    this.used.add(part);
    return this.parse(part);
  }

  private async parse(part: string | null): Promise<XmlElement | null> {
    const xml = part === null ? null : await this.archive.text(part);
    return xml === null ? null : parseXml(xml, this.input.filename);
  }

  private relationshipsOf(part: string): Promise<Relationships> {
    return Relationships.of(this.archive, part, this.input.filename);
  }
}
