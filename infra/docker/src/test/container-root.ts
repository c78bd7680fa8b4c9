/**
 * Runs a command in the files of an image as a container engine would: a read-only root, user 10001, no capabilities, no privileges to gain, and
 * only the given variables. The libraries of the system and Node stand in for the base image. Needs root, and util-linux.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ContainerCommand {
  /** The assembled files. */
  readonly image: string;
  /** The workspace folder that the image runs. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Arguments: the image, its folder, then the command. /data, /scratch and /tmp can be written, as in compose and Kubernetes. */
const script = `set -eu
image=$1 folder=$2 node=$3
shift 3
root=$(mktemp -d)
mount -t tmpfs -o mode=755 root "$root"
for path in /lib /lib64 /usr/lib /usr/lib64 /etc/ssl /etc/resolv.conf /etc/hosts /etc/nsswitch.conf /dev/null /dev/urandom /dev/random; do
  if [ ! -e "$path" ]; then continue; fi
  mkdir -p "$root$(dirname "$path")"
  if [ -L "$path" ]; then cp -P "$path" "$root$path"; continue; fi
  if [ -d "$path" ]; then mkdir "$root$path"; else : >"$root$path"; fi
  mount --bind "$path" "$root$path"
done
mkdir -p "$root/kiln" "$root/usr/local/bin" "$root/proc" "$root/tmp" "$root/data" "$root/scratch" "$root/old"
mount --bind "$image" "$root/kiln"
mount -o remount,bind,ro "$root/kiln"
: >"$root/usr/local/bin/node"
mount --bind "$node" "$root/usr/local/bin/node"
mount -t proc proc "$root/proc"
for path in tmp data scratch; do mount -t tmpfs -o uid=10001,gid=10001,mode=700 work "$root/$path"; done
mkdir "$root/tools"
for tool in mount umount setpriv; do
  : >"$root/tools/$tool"
  mount --bind "$(command -v "$tool")" "$root/tools/$tool"
done
cd "$root"
pivot_root . old
PATH=/tools:/usr/local/bin
umount -l /old
mount -o remount,ro /
cd "/kiln/$folder"
exec setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

export type ContainerProcess = ChildProcessByStdio<null, Readable, Readable>;

/** The process ends with SIGTERM as in a container, where it is process 1. */
export function runInRoot({ image, folder, command, environment }: ContainerCommand): ContainerProcess {
  const words = ['--mount', '--ipc', '--uts', '--', 'sh', '-c', script, 'sh', image, folder, process.execPath];
  return spawn('unshare', [...words, ...command], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
