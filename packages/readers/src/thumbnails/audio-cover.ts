/** The picture in the tags of a recording. A picture that is marked as front cover comes first. */
import { parseFile, selectCover } from 'music-metadata';

export async function audioCover({ path }: { path: string }): Promise<Buffer | null> {
  const { common } = await parseFile(path, { duration: false, skipCovers: false });
  const cover = selectCover(common.picture);
  return cover === null ? null : Buffer.from(cover.data);
}
