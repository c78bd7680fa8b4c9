const mebibyte = 1024 * 1024;

/** `67108864` → `64 MiB` */
export function formatBytes(bytes: number): string {
  if (bytes >= mebibyte) return `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;
  if (bytes >= 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${bytes} bytes`;
}
