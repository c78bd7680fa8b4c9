// The environment for foreign programs: nothing of ours but the search path, with an unpacked tree of packages in front.
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
