import { expect, it } from '@jest/globals';
import { sqsRegionOf } from './queue-place.js';

it.each([
  ['https://sqs.eu-central-1.amazonaws.com/1/kiln', 'eu-central-1'],
  ['https://sqs-fips.us-gov-west-1.amazonaws.com/1/kiln', 'us-gov-west-1'],
  ['https://sqs.cn-north-1.amazonaws.com.cn/1/kiln', 'cn-north-1'],
  ['https://sqs.eu-west-1.api.aws/1/kiln', 'eu-west-1'],
  ['https://eu-west-1.queue.amazonaws.com/1/kiln', 'eu-west-1'],
  ['https://vpce-0a1b-2c3d.sqs.us-east-1.vpce.amazonaws.com/1/kiln', 'us-east-1'],
  ['https://sqs.eu-central-1.amazonaws.com.example.org/1/kiln', undefined],
  ['https://example.org/sqs.eu-central-1.amazonaws.com/kiln', undefined],
  ['https://s3.eu-central-1.amazonaws.com/1/kiln', undefined],
])('the region of the queue %s is that of its host at AWS, and no other host has one: %s', (url, region) => {
  expect(sqsRegionOf(url)).toBe(region);
});
