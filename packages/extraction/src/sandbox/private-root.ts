/**
 * The command that starts a program in namespaces of its own: mounts, processes, network, IPC, host name. The program sees its
 * document, a small temporary file system, and the files that it consists of. Uses util-linux only, which every Debian has.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dieWithParent, findTool, openFilesMax } from './process-limits.js';
import type { Room } from './room.js';

export type UserKind = 'separate_user' | 'user_namespace';

export interface PrivateRootOptions {
  userKind: UserKind;
  /** The folders of the program. It finds them where the caller does, so that none of them hides another path. */
  room: Room;
  /** The size of the temporary file system. It is memory that the resident memory of the program does not include. */
  workBytesMax: number;
  /** Files that the program reads besides its own. Their names differ. Those that do not exist are left out. */
  dataFiles: readonly string[];
  /** The ES module that the program runs. Its package and the packages that it can import become visible. */
  module: URL;
}

/** Processes and threads together. An idle child has about 12 threads. */
const tasksMax = 256;
/** Above the ids that distributions and systemd assign (systemd.io/UIDS-GIDS). */
const firstUserId = 2_147_418_112;
const userIds = 65_535;

/** Libraries, fonts and devices. None of them belongs to a service. Programs are not included. */
const systemPaths = (
  '/lib /lib32 /lib64 /usr/lib /usr/lib32 /usr/lib64 /usr/local/lib /usr/share/fonts /usr/share/zoneinfo ' +
  '/etc/fonts /etc/ld.so.cache /etc/localtime /dev/null /dev/urandom'
).split(' ');

/**
 * Arguments: the folder of the room, bytes of the temporary file system, "yes" to forbid further user namespaces, the paths to show, `--`,
 * the data files, `--`, the command. A path that is a symbolic link is copied as a link; of a data file, its target is shown. The folders
 * of the room are new, so nothing that is shown lies in them. `umount` needs /proc, which therefore is a link into the old root, and
 * leads nowhere once that is unmounted. The kernel kills this process first when memory runs out.
 */
const script = `set -eu
umask 022
room=$1 work_bytes=$2 forbid_namespaces=$3
shift 3
echo 1000 >/proc/self/oom_score_adj
if [ "$forbid_namespaces" = yes ]; then echo 0 >/proc/sys/user/max_user_namespaces; fi
umount=$(command -v umount)
root=$room/root
mount -t tmpfs -o nosuid,nodev,size=1m,nr_inodes=1k,mode=755 root "$root"
while [ "$1" != -- ]; do
  path=$1
  shift
  if [ -e "$root$path" ]; then continue; fi
  mkdir -p "$root\${path%/*}"
  if [ -L "$path" ]; then ln -s "$(readlink "$path")" "$root$path"; continue; fi
  if [ -d "$path" ]; then mkdir "$root$path"; else : >"$root$path"; fi
  mount -o rbind,ro,nosuid "$path" "$root$path"
done
shift
cd "$root"
own=.$room
mkdir -p "$own/document" "$own/work" "$own/data" "$own/old"
ln -s "$room/old/proc" proc
mount -o bind,ro,nosuid,nodev,noexec "$room/document" "$own/document"
mount -t tmpfs -o "nosuid,nodev,noexec,size=$work_bytes,nr_inodes=1k,mode=1777" work "$own/work"
while [ "$1" != -- ]; do
  : >"$own/data/\${1##*/}"
  mount -o bind,ro,nosuid,nodev,noexec "$1" "$own/data/\${1##*/}"
  shift
done
shift
mount -o remount,bind,ro .
pivot_root . "$own/old"
cd /
"$room/old$umount" -l "$room/old"
unset PWD OLDPWD
exec "$@"
`;

const namespaces = '--mount --pid --net --ipc --uts --cgroup --fork --kill-child'.split(' ');
const userNamespace = ['--user', '--map-root-user'];
const withoutPrivileges = '--no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all'.split(' ');

/** The command that starts `command` in a private root. @throws Error that names a missing tool. */
export function privateRootCommand(options: PrivateRootOptions, command: readonly string[]): string[] {
  const { userKind, room, workBytesMax, module, dataFiles } = options;
  const isSeparate = userKind === 'separate_user';
  const [setpriv, prlimit] = [findTool('setpriv'), findTool('prlimit')];
  const visible = [...systemPaths, process.execPath, setpriv, prlimit, ...programPaths(module)]
    .filter((path) => existsSync(path))
    // A folder before what lies in it: the program that runs the module may be one of its packages.
    .toSorted((left, right) => left.length - right.length);
  // The kernel forgets `dieWithParent` when the user changes, so each process of the chain asks for it.
  const unshare = [setpriv, ...dieWithParent, findTool('unshare'), ...(isSeparate ? [] : userNamespace), ...namespaces];
  const shell = [findTool('sh'), '-c', script, 'kiln-sandbox'];
  const data = dataFiles.filter((path) => existsSync(path));
  const mounts = [room.path, String(workBytesMax), isSeparate ? 'no' : 'yes', ...visible, '--', ...data, '--'];
  const limits = [prlimit, `--nproc=${tasksMax}`, `--nofile=${openFilesMax}`, '--core=0'];
  const drop = [setpriv, ...(isSeparate ? separateUser() : []), ...withoutPrivileges, ...dieWithParent];
  return [unshare, shell, mounts, limits, drop, command].flat();
}

function separateUser(): string[] {
  const id = firstUserId + Math.floor(Math.random() * userIds);
  return [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}

/** The package of the module, each folder in which Node.js looks for what it imports, and what these link to. Not what lies beside them. */
function programPaths(module: URL): string[] {
  const paths = new Set<string>();
  addPackage(dirname(realpathSync(fileURLToPath(module))), paths);
  return [...paths];
}

function addPackage(folder: string, paths: Set<string>): void {
  const folders = ancestors(folder);
  const own = folders.find((path) => existsSync(join(path, 'package.json')));
  for (const path of folders.map((parent) => join(parent, 'node_modules'))) if (existsSync(path)) paths.add(path);
  if (own === undefined || paths.has(own)) return;
  paths.add(own);
  for (const linked of dependenciesOf(own)) {
    const isShown = [...paths].some((path) => linked.startsWith(path + sep));
    if (!isShown) addPackage(linked, paths);
  }
}

/** The folders of the packages that a package depends on. In a checkout, some are links to its other packages. */
function dependenciesOf(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Readonly<Record<string, string>>;
  };
  const links = Object.keys(dependencies).map((name) => join(folder, 'node_modules', name));
  return links.filter((link) => existsSync(link)).map((link) => realpathSync(link));
}

/** The folder itself first, without the root. */
function ancestors(folder: string): string[] {
  return folder === dirname(folder) ? [] : [folder, ...ancestors(dirname(folder))];
}
