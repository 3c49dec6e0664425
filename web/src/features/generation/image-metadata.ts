import { useEffect } from 'react';
import type { GenerationView } from '../../../../src/generation/wire.js';
import { generationPath } from './navigation.js';

/** Structured data about a finished image (schema.org ImageObject), as search engines read it. */
export function imageMetadata(row: GenerationView, origin: string): Record<string, unknown> | null {
  if (row.status !== 'completed' || row.image_url === null) return null;
  const absolute = (path: string): string => new URL(path, origin).href;
  const smallest = [...(row.image?.sources ?? [])].sort((a, b) => a.width - b.width)[0];
  return {
    '@context': 'https://schema.org',
    '@type': 'ImageObject',
    name: row.prompt,
    caption: row.prompt,
    url: absolute(generationPath(row.creator_username, row.id)),
    contentUrl: absolute(row.image_url),
    ...(smallest ? { thumbnailUrl: absolute(smallest.url) } : {}),
    ...(row.image ? { width: row.image.width, height: row.image.height } : {}),
    uploadDate: row.completed_at ?? row.created_at,
    creator: { '@type': 'Person', name: row.creator_name, url: absolute(`/${row.creator_username}`) },
  };
}

/** Keeps {@link imageMetadata} in the head of the page while the image is shown. */
export function useImageMetadata(row: GenerationView | null): void {
  useEffect(() => {
    const metadata = row && imageMetadata(row, window.location.origin);
    if (!metadata) return undefined;
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    script.textContent = JSON.stringify(metadata);
    document.head.append(script);
    return () => script.remove();
  }, [row]);
}
