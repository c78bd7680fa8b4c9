// Where a queue of notifications is: the host of an SQS queue, and its region.
import type { NotificationType } from '@kiln/contracts';

export interface QueuePlace {
  type: NotificationType;
  /** The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in a storage account. */
  queue: string;
}

/**
 * The endpoints of SQS, including legacy and VPC endpoints. The first group that matches is the region.
 * https://docs.aws.amazon.com/general/latest/gr/sqs-service.html
 */
const SQS_HOSTS = [
  /^sqs(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/,
  /^sqs(?:-fips)?\.([a-z0-9-]+)\.api\.aws$/,
  /^([a-z0-9-]+)\.queue\.amazonaws\.com(?:\.cn)?$/,
  /^vpce-[a-z0-9-]+\.sqs\.([a-z0-9-]+)\.vpce\.amazonaws\.com(?:\.cn)?$/,
];

/** The region in the host of an SQS queue. Undefined for a host that is not one of AWS. */
export function sqsRegionOf(queueUrl: string): string | undefined {
  const { hostname } = new URL(queueUrl);
  return SQS_HOSTS.map((pattern) => pattern.exec(hostname)?.[1]).find((region) => region !== undefined);
}
