// The image of a page, with regions lit. Regions are shares of the page as it is shown.
import { placeOf, type Region } from '@kiln/console/ui/passage.js';
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../api/portal-context.js';
import { useLoaded } from '../api/use-loaded.js';
import { Failed, SkeletonRows } from './view-states.js';

interface PagePictureProps {
  fileId: string;
  filename: string;
  page: number;
  regions?: readonly Region[];
}

const WIDTH_PIXELS = 1_200;

export function PagePicture(props: PagePictureProps) {
  // Another page begins without the image of the last one.
  return <Picture key={`${props.fileId} ${props.page}`} {...props} />;
}

function Picture({ fileId, filename, page, regions = [] }: PagePictureProps) {
  const portal = usePortal();
  const { value, error, reload } = useLoaded(
    (signal) => portal.getPageImage(fileId, page, { width: WIDTH_PIXELS }, { signal }),
    [portal, fileId, page],
  );
  const url = useObjectUrl(value);
  if (error !== null && value === null) return <Failed error={error} onRetry={reload} />;
  if (url === null) {
    return (
      <div class="page-loading">
        <SkeletonRows rows={12} label={`Loading page ${page}`} />
      </div>
    );
  }
  return (
    <figure class="page-picture">
      <img src={url} alt={`Page ${page} of ${filename}`} />
      {regions
        .filter((region) => region.page === page)
        .map((region, at) => (
          <span key={at} class="page-region" style={placeOf(region)} />
        ))}
    </figure>
  );
}

function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
