// The environment of client programs: only the search path, with the unpacked packages first.
import { join } from 'node:path';

export function clientEnvironment(root: string, architectures: readonly string[]): NodeJS.ProcessEnv {
  const libraries = [join(root, 'usr/lib'), ...architectures.map((name) => join(root, 'usr/lib', name))];
  return {
    PATH: [join(root, 'usr/bin'), join(root, 'usr/sbin'), process.env['PATH'] ?? ''].join(':'),
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: libraries.join(':'),
    LC_ALL: 'C.UTF-8',
    HOME: root,
  };
}
