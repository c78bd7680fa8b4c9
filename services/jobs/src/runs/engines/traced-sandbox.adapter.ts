// The sandbox with a span for each document, which includes waiting for a process and starting it.
import type { ExtractionInput, Sandbox } from '@kiln/extraction';
import { inSpan } from '@kiln/platform';

export function tracedSandbox(sandbox: Sandbox): Sandbox {
  const about = ({ contentType }: ExtractionInput) => ({ attributes: { 'kiln.content_type': contentType } });
  return {
    name: sandbox.name,
    supports: (contentType) => sandbox.supports(contentType),
    extract: (input, signal) => inSpan('sandbox extract', about(input), () => sandbox.extract(input, signal)),
    countPages: (input, signal) => inSpan('sandbox count pages', about(input), () => sandbox.countPages(input, signal)),
    makeThumbnail: (input, signal) =>
      inSpan('sandbox make thumbnail', about(input), () => sandbox.makeThumbnail(input, signal)),
    readProperties: (input, signal) =>
      inSpan('sandbox read properties', about(input), () => sandbox.readProperties(input, signal)),
    drawPage: (input, place, signal) =>
      inSpan('sandbox draw page', about(input), () => sandbox.drawPage(input, place, signal)),
    checkIsolation: () => sandbox.checkIsolation(),
    close: () => sandbox.close(),
    stats: () => sandbox.stats(),
    pids: () => sandbox.pids(),
  };
}
