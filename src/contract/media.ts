/** A picture as the browser needs it to reserve its place, show a blur at once and fetch the smallest fitting file. */
export interface ImageInfo {
  /** The largest WebP; a same-origin path. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** Blur placeholder: base64 of a ThumbHash. */
  readonly thumbhash: string;
  readonly sources: readonly ImageSource[];
}

/** The address of a picture's largest file in another format. The server converts it. */
export function imageFileUrl({ url }: Pick<ImageInfo, 'url'>, format: 'jpg' | 'png' | 'webp'): string {
  return url.replace(/\.webp$/, `.${format}`);
}

export interface ImageSource {
  readonly type: 'image/avif' | 'image/webp';
  readonly url: string;
  readonly width: number;
}
