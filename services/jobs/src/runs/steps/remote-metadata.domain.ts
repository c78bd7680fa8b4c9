// Remote engines return text. What a file states about itself (title, author, camera, length) is read here, in the sandbox.
import type { DocumentMetadata, ExtractionInput, Sandbox, StatedProperties } from '@kiln/extraction';
import type { RunContext } from '../run-context.port.js';

/** The text is paid for: properties that cannot be read do not make it fail. */
export async function withStatedProperties(
  sandbox: Pick<Sandbox, 'readProperties'>,
  { input, metadata }: { input: ExtractionInput; metadata: DocumentMetadata },
  { signal, logger }: Pick<RunContext, 'signal' | 'logger'>,
): Promise<DocumentMetadata> {
  try {
    return joined(await sandbox.readProperties(input, signal), metadata);
  } catch (error) {
    signal.throwIfAborted();
    logger.info({ err: error }, 'The properties of a file were not read');
    return metadata;
  }
}

/** As local engines do it: what a document states comes before what its text suggests. */
function joined(stated: StatedProperties | null, metadata: DocumentMetadata): DocumentMetadata {
  if (stated === null) return metadata;
  return {
    ...stated.details,
    ...metadata,
    title: stated.title ?? metadata.title,
    author: stated.author ?? metadata.author,
    language: stated.language ?? metadata.language,
  };
}
