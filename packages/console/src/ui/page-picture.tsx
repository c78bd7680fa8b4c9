// The image of a page, with regions lit. Regions are shares of the page as it is shown.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useKiln } from '../api/kiln-context.js';
import './page-picture.css';
import { placeOf, type Region } from './passage.js';
import { Failed, SkeletonRows } from './view-states.js';

interface PagePictureProps {
  fileId: string;
  filename: string;
  page: number;
  regions?: readonly Region[];
  /** Over the image. */
  children?: ReactNode;
}

const WIDTH_PIXELS = 1_200;

export function PagePicture({ fileId, filename, page, regions = [], children }: PagePictureProps) {
  const kiln = useKiln();
  const { data, error, refetch } = useQuery({
    queryKey: ['page-image', fileId, page],
    queryFn: ({ signal }) => kiln.files.getPageImage(fileId, page, { width: WIDTH_PIXELS }, { signal }),
    staleTime: Infinity,
  });
  const url = useObjectUrl(data);
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (url === null) return <SkeletonRows rows={12} label={`Loading page ${page}`} />;
  return (
    <figure className="page-picture">
      <img src={url} alt={`Page ${page} of ${filename}`} />
      {regions
        .filter((region) => region.page === page)
        .map((region, at) => (
          <span key={at} className="page-region" style={placeOf(region)} />
        ))}
      {children}
    </figure>
  );
}

function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return blob ? url : null;
}
