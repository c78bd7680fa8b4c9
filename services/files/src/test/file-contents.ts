// FAKE of the search service. It keeps the contents of files as words between spaces in lower case.
import {
  MATCHED_FILES_MAX,
  packIds,
  searchOperations,
  unavailable,
  unpackIds,
  type CallContext,
  type Operation,
} from '@kiln/contracts';

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

export class FileContents {
  isDown = false;
  /** If more files match, it names none. */
  filesMax: number = MATCHED_FILES_MAX;
  /** Subjects of the calls. */
  readonly asked: string[] = [];
  private readonly tenants = new Map<string, Map<string, ReadonlySet<string>>>();

  set(tenantId: string, fileIds: readonly string[], text: string): void {
    const files = this.tenants.get(tenantId) ?? new Map<string, ReadonlySet<string>>();
    for (const id of fileIds) files.set(id, new Set(wordsOf(text)));
    this.tenants.set(tenantId, files);
  }

  /** Whether the content has all words of the text. */
  has(tenantId: string, fileId: string, text: string): boolean {
    const words = this.tenants.get(tenantId)?.get(fileId);
    const wanted = wordsOf(text);
    return words !== undefined && wanted.length > 0 && wanted.every((word) => words.has(word));
  }

  answers = ({ subject }: Operation): boolean => subject.startsWith('search.match');

  /** Throws UNAVAILABLE. The contracts validate inputs and outputs. */
  async answer(operation: Operation, input: unknown, { tenantId }: CallContext): Promise<unknown> {
    this.asked.push(operation.subject);
    if (this.isDown) throw unavailable('The search service');
    if (operation.subject === searchOperations.matchAmong.subject) {
      const { input: given, output } = searchOperations.matchAmong;
      const { text, file_ids: packed } = given.parse(input);
      return output.parse({ file_ids: packIds(unpackIds(packed).filter((id) => this.has(tenantId, id, text))) });
    }
    const { input: given, output } = searchOperations.matchFiles;
    const { text } = given.parse(input);
    const ids = [...(this.tenants.get(tenantId)?.keys() ?? [])].filter((id) => this.has(tenantId, id, text));
    return output.parse({ file_ids: ids.length > this.filesMax ? null : packIds(ids) });
  }
}
