/** Relationships between the parts of an Office file (ISO/IEC 29500-2, 9.3). */
import { posix } from 'node:path';
import { attributeOf, childrenNamed, parseXml } from '../xml/xml-tree.js';
import type { ZipArchive } from './zip-archive.js';

export interface Relationship {
  id: string;
  /** The last word of the type: `slide`, `chart`, `hyperlink`. Strict and transitional files differ in the rest. */
  type: string;
  /** The name of a part, or an address outside of the file. */
  target: string;
  isExternal: boolean;
}

/** Any number of links can refer to one address. */
const addressCharactersMax = 4096;

/** The part with the relationships of `part`. The relationships of the file itself are those of ''. */
export function relationshipsPart(part: string): string {
  const { dir, base } = posix.parse(part);
  return posix.join(dir, '_rels', `${base}.rels`);
}

export class Relationships {
  private constructor(private readonly all: ReadonlyMap<string, Relationship>) {}

  static async of(archive: ZipArchive, part: string, filename: string): Promise<Relationships> {
    return Relationships.in(await archive.text(relationshipsPart(part)), part, filename);
  }

  /** `xml` is the text of the {@link relationshipsPart} of `part`. */
  static in(xml: string | null, part: string, filename: string): Relationships {
    if (xml === null) return new Relationships(new Map());
    const { dir } = posix.parse(part);
    const found = childrenNamed(parseXml(xml, filename), 'Relationship').map((relationship): Relationship => {
      const target = attributeOf(relationship, 'Target') ?? '';
      const isExternal = attributeOf(relationship, 'TargetMode') === 'External';
      return {
        id: attributeOf(relationship, 'Id') ?? '',
        type: (attributeOf(relationship, 'Type') ?? '').split('/').at(-1) ?? '',
        target: isExternal ? target : target.startsWith('/') ? target.slice(1) : posix.join(dir, target),
        isExternal,
      };
    });
    return new Relationships(new Map(found.map((relationship) => [relationship.id, relationship])));
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  /** The name of a part of this file. Null if the file has no such relationship. */
  part(id: string | null): string | null {
    const found = this.all.get(id ?? '');
    return found === undefined || found.isExternal ? null : found.target;
  }

  /** An address outside of the file. */
  address(id: string | null): string | null {
    const found = this.all.get(id ?? '');
    return found?.isExternal === true && found.target.length <= addressCharactersMax ? found.target : null;
  }

  /** The parts of this type, in the order of the file. */
  partsOf(type: string): string[] {
    return [...this.all.values()]
      .filter((found) => found.type === type && !found.isExternal)
      .map(({ target }) => target);
  }
}
