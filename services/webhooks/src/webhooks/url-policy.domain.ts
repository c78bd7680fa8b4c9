// Checks whether a webhook may use a URL.
import { badRequest } from '@kiln/contracts';
import { OutboundRefusedError, type OutboundPolicy } from '@kiln/outbound';

/** Returns the URL as it will be called, without its fragment. Throws BAD_REQUEST. */
export async function acceptedUrl(policy: Pick<OutboundPolicy, 'assertUrl'>, text: string): Promise<string> {
  const url = new URL(text);
  url.hash = '';
  try {
    await policy.assertUrl(url);
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw badRequest(`url ${error.message}`);
    throw error;
  }
  return url.href;
}
