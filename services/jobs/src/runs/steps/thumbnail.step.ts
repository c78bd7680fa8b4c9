// The first page, slide, sheet or frame → a picture, made in the sandbox whatever engine reads the text. Without one the variant is skipped.
import { ExtractionError, type ExtractionProvider, type Sandbox } from '@kiln/extraction';
import { mayHaveThumbnail, THUMBNAIL_TYPE } from '@kiln/readers/thumbnails/thumbnail';
import { join } from 'node:path';
import type { CopiedFile } from '../local-copy.service.js';
import type { RunContext } from '../run-context.port.js';
import type { StoredOutput } from '../run-outputs.service.js';
import type { SourceFile } from './source-file.service.js';

const NAME = 'thumbnail.webp';
const PROGRESS = 0.55;

/** Whether the run still has to make a thumbnail, which needs the sandbox and the bytes of the file. */
export const makesThumbnail = ({ outputs, file }: Pick<RunContext, 'outputs' | 'file'>): boolean =>
  outputs.wants('thumbnails') && mayHaveThumbnail(file.content_type ?? 'application/octet-stream');

export class ThumbnailStep {
  constructor(
    private readonly source: Pick<SourceFile, 'download'>,
    private readonly sandbox: Pick<Sandbox, 'makeThumbnail'>,
  ) {}

  /** After the text was read: a picture that cannot be made does not fail the job. */
  async execute(context: RunContext, provider: ExtractionProvider): Promise<void> {
    try {
      await this.make(context, provider);
    } catch (error) {
      if (!(error instanceof ExtractionError) || error.retryable) throw error;
      context.logger.info({ err: error }, 'No thumbnail was made');
    }
  }

  /**
   * Returns the SHA-256 of the file, or null if it was not read.
   * @throws ExtractionError for a file that cannot be shown because it is damaged, protected or too large.
   */
  async make(context: RunContext, provider: ExtractionProvider): Promise<string | null> {
    try {
      return makesThumbnail(context) ? await this.add(context, provider) : null;
    } finally {
      context.leaveSandbox();
    }
  }

  private async add(context: RunContext, provider: ExtractionProvider): Promise<string | null> {
    const { outputs, progress } = context;
    progress.begin('thumbnails', PROGRESS);
    const earlier = await outputs.findEarlier(NAME);
    if (earlier !== null) {
      addVariant(context, provider, await outputs.copy(earlier, NAME, THUMBNAIL_TYPE));
      return null;
    }
    const copy = await context.copy.fetch((path) => this.source.download(context, path));
    const image = await this.imageOf(context, copy);
    if (image !== null) addVariant(context, provider, await outputs.write(NAME, image, THUMBNAIL_TYPE));
    return copy.sha256;
  }

  private async imageOf({ file, job, scratch, signal }: RunContext, { path }: CopiedFile): Promise<Buffer | null> {
    const input = {
      path,
      filename: file.filename,
      contentType: file.content_type ?? 'application/octet-stream',
      outputDirectory: join(await scratch.path(), 'output'),
      owner: job.tenant_id,
    };
    return this.sandbox.makeThumbnail(input, signal);
  }
}

function addVariant({ outputs }: RunContext, provider: ExtractionProvider, stored: StoredOutput): void {
  outputs.addStored({ type: 'thumbnails', content_type: THUMBNAIL_TYPE, provider }, stored);
}
