import { useEffect } from 'react';
import type { GenerationView } from '../../../../src/contract/generation.js';
import { imageObject } from '../../../../src/gallery/image-object.js';
import { generationPath } from '../../lib/paths.js';

/** Structured data about a generation's image; null without an image. */
export function imageMetadata(row: GenerationView, origin: string): object | null {
  if (row.status !== 'completed' || row.image === null) return null;
  const described = {
    prompt: row.prompt,
    path: generationPath(row.creator_username, row.id),
    image: row.image,
    createdAt: row.created_at,
    creator: { name: row.creator_name, path: `/${row.creator_username}` },
  };
  return imageObject(described, origin);
}

/** Keeps {@link imageMetadata} in the head of the page while the image is shown. */
export function useImageMetadata(row: GenerationView | null): void {
  useEffect(() => {
    const metadata = row && imageMetadata(row, window.location.origin);
    if (!metadata) return undefined;
    // Replaces the one that the server rendered for this address.
    document.querySelector('script[data-from-server]')?.remove();
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    script.textContent = JSON.stringify(metadata);
    document.head.append(script);
    return () => script.remove();
  }, [row]);
}
