/** The public facts of a finished image. URLs are paths of this site; instants are ISO 8601. */
export interface DescribedImage {
  readonly prompt: string;
  readonly path: string;
  readonly image: {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly sources: readonly { readonly url: string; readonly width: number }[];
  };
  readonly createdAt: string;
  readonly creator: { readonly name: string; readonly path: string };
}

/** Structured data about a finished image for search engines (schema.org ImageObject). */
export function imageObject({ prompt, path, image, createdAt, creator }: DescribedImage, origin: string): object {
  const absolute = (address: string): string => new URL(address, origin).href;
  const smallest = [...image.sources].sort((a, b) => a.width - b.width)[0];
  return {
    '@context': 'https://schema.org',
    '@type': 'ImageObject',
    name: prompt,
    caption: prompt,
    url: absolute(path),
    contentUrl: absolute(image.url),
    ...(smallest ? { thumbnailUrl: absolute(smallest.url) } : {}),
    width: image.width,
    height: image.height,
    uploadDate: createdAt,
    creator: { '@type': 'Person', name: creator.name, url: absolute(creator.path) },
  };
}
