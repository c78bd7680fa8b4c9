// Remote engines return text. The properties that a file declares (title, author, camera, length) are read here, in the sandbox.
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

/** As in local engines, a declared property has precedence over one that the text suggests. */
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
