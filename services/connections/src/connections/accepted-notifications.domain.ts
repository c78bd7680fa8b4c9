// Checks the queue of notifications before it is tried or stored. Errors name the fields of the API.
import { badRequest, notificationTypeOf, type ConnectionsInput, type StorageProviderId } from '@kiln/contracts';
import { OutboundRefusedError, type OutboundPolicy } from '@kiln/outbound';
import { sqsRegionOf } from '../external-buckets/domain/queue-place.js';

type Given = ConnectionsInput<'updateConnection'>['notifications'];

/** Throws BAD_REQUEST. Signed requests go to hosts of the provider only, and to those that the operator allows. */
export async function assertNotifications(
  policy: Pick<OutboundPolicy, 'assertUrl' | 'isListed'>,
  provider: StorageProviderId,
  given: Given,
): Promise<void> {
  if (given == null) return;
  const type = notificationTypeOf(provider);
  if (given.type !== type) throw badRequest(`notifications.type must be ${type} for the provider ${provider}.`);
  if (type !== 'sqs') return;
  const url = new URL(given.queue);
  try {
    await policy.assertUrl(url);
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw badRequest(`notifications.queue ${error.message}`);
    throw error;
  }
  if (sqsRegionOf(given.queue) !== undefined || (await policy.isListed(url))) return;
  throw badRequest(
    'notifications.queue must be the URL of an SQS queue at AWS. The operator can allow other hosts by KILN_OUTBOUND_ALLOW.',
  );
}
