import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, which the compiler does not know.
const path = fileURLToPath(new URL('../node-change.mjs', import.meta.url));
const { nodeChange } = (await import(path)) as {
  nodeChange: (started: string, installed: string) => string | undefined;
};

describe('npm start', () => {
  it('names both versions if the machine has another Node than Kiln', () => {
    expect(nodeChange('20.19.0', '26.10.0')).toBe(
      'this machine has Node 20.19.0; running on Node 26.10.0 from node_modules',
    );
  });

  it('says nothing on the Node that is installed', () => {
    expect(nodeChange('26.10.0', '26.10.0')).toBeUndefined();
  });
});
