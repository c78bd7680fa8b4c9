// The output of the command of the console.
import { expect, it } from '@jest/globals';
import { runKiln } from '../../fixtures/run-kiln.js';

it('open prints the address of the console on a pipe, and asks the server nothing', async () => {
  const { out, exit, requests } = await runKiln(['open', '--url', 'https://kiln.example.com/base/']);
  expect([out, exit, requests]).toStrictEqual(['https://kiln.example.com/base/console/\n', 0, []]);
});
