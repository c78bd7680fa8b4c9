// Returns the content of a small variant, by its signed URL.
import { CodedError, encodeId, filesOperations } from '@kiln/contracts';
import { Reply } from '../routes/reply.domain.js';
import type { PublicRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

/** Every token that is not valid gets the same error, so that the error does not reveal what exists. */
const refused = () =>
  new CodedError('FORBIDDEN', 'The URL is not one that Kiln has signed, or it has expired. Ask for the variant again.');

export async function getVariantContent(
  { params, contextFor }: PublicRequest<{ token: string }, object>,
  { rpc, contentUrls }: GatewayServices,
) {
  const opened = contentUrls.open(params.token);
  if (!opened) throw refused();
  const ids = { file_id: encodeId('file', opened.fileId), variant_id: encodeId('variant', opened.variantId) };
  const found = await rpc.call(filesOperations.getVariantContent, ids, contextFor(opened.tenantId));
  const headers = {
    'Content-Type': found.content_type,
    'Content-Disposition': 'inline',
    'Cache-Control': `private, max-age=${opened.secondsLeft}`,
  };
  return new Reply({ text: found.content, headers });
}
